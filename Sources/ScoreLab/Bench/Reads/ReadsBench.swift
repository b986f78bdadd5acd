// Phones read matches more often than they do anything else; this compares our route with what its parts allow.

import ArgumentParser
import Foundation
import Logging
import ScoreTypes

/// Reads matches from our server, a bare route of its HTTP framework, nginx, and our server behind the cache of nginx.
struct ReadsBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "reads",
        abstract: "Compare reads of a match with a bare route of the HTTP framework and with nginx.",
        discussion: """
            All servers answer with the same bytes and run on one core, wrk on another. They are measured one after \
            the other in each round; the figures are the medians. `cached` is our server behind nginx with the \
            configuration of deploy/, without TLS like the others. Needs Debian's packages wrk and nginx-light.
            """
    )

    @Option(help: "Rounds.")
    var rounds = 3

    @Option(help: "Seconds of each measurement.")
    var seconds = 5

    @Option(help: "Connections, each with one request at a time.")
    var connections = 32

    @Option(help: "Matches that are read in turn.")
    var matches = 1

    @Option(help: "The configuration of nginx whose cache is measured.")
    var nginxConfiguration = ShippedNginx.path

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func validate() throws {
        guard (1...100).contains(rounds), (1...600).contains(seconds), (1...10_000).contains(connections) else {
            throw ValidationError(
                "--rounds must be from 1 to 100, --seconds from 1 to 600, --connections from 1 to 10000."
            )
        }
        guard (1...LabLimits.readMatches).contains(matches) else {
            throw ValidationError("--matches must be from 1 to \(LabLimits.readMatches).")
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let figures = try await untilSignal { try await measure(undoneBy: $0) }
        figures.show(asJSON: json)
    }

    private func measure(undoneBy teardown: Teardown) async throws -> ReadFigures {
        let cores = ProcessInfo.processInfo.activeProcessorCount
        guard cores > 1 else { throw MeasurementFailure("two cores are needed, one for the servers and one for wrk") }
        let servers = try await ReadServers(
            matches: matches,
            core: 0,
            nginxFile: nginxConfiguration,
            undoneBy: teardown
        )
        let started = try await servers.start().map { server in
            let load = try LoadGenerator(
                server.name.rawValue,
                paths: server.paths,
                connections: connections,
                seconds: seconds,
                core: cores - 1,
                folder: servers.bed.folder.url
            )
            return (server: server, load: load)
        }
        var figures = ReadFigures(matches: matches)
        for _ in 1...rounds {
            for (server, load) in started {
                figures.add(try load.answersPerSecond(port: server.port), of: server.name)
                // The tag of one match is none of another.
                guard server.paths.count == 1 else { continue }
                let rate = try load.answersPerSecond(port: server.port, tag: server.tag)
                figures.add(rate, of: server.name, isNotModified: true)
            }
        }
        return figures
    }
}
