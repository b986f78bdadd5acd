// `score-lab simulate-feed`: a provider on this machine, well-behaved or not, for everybody who has no key.

import ArgumentParser
import Foundation
import Logging
import Providers
import ScoreTypes
import ServiceLifecycle
import Simulators

/// Serves recorded matches in a provider's terms.
struct SimulateFeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate-feed",
        abstract: "Serve Cricsheet matches in a provider's format, with the faults that feeds have.",
        discussion: """
            The first ball is bowled ten minutes of match time after the start. Faults are named one by one, by their \
            line in the catalogue (\(FeedFaultError.lines)), or drawn by the seed with "random"; the same seed does \
            the same again. \(FeedFaultError.elsewhere) \
            Names: \(FeedFault.allCases.map(\.rawValue).joined(separator: ", ")).
            """
    )

    @Option(help: "A Cricsheet JSON file, or a folder of them; without it the project's own match is served.")
    var match: String?

    @Option(help: "sportmonks, roanuz, entitysport, cricketdata or cricsheet.")
    var provider = Provider.cricsheet.rawValue

    @Option(help: "The port on loopback; 0 for a free one.")
    var port = 8090

    @Option(help: "How many times real time; a ball takes about 35 s of it. A server needs the same CLOCK_SPEED.")
    var speed = 1

    @Option(help: "Faults parted by commas, such as drip,F5, or random.")
    var faults = "none"

    @Option(help: "Seed of the faults.")
    var seed: UInt64 = 1

    @Option(help: "Key or token that clients must send; without it every client is accepted.")
    var key: String?

    func validate() throws {
        guard (0...65_535).contains(port) else { throw ValidationError("--port must be from 0 to 65535.") }
        guard (1...100_000).contains(speed) else { throw ValidationError("--speed must be from 1 to 100000.") }
        do throws(FeedFaultError) {
            _ = try FeedFault.list(faults)
        } catch {
            throw ValidationError("--faults: \(error)")
        }
        guard shape != nil else {
            let names = Provider.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--provider must be one of \(names).")
        }
    }

    private var shape: (any FeedShape)? {
        Provider(rawValue: provider).map { FeedShapes.shape(of: $0, key: key) }
    }

    func run() async throws {
        guard let shape else { throw ExitCode.validationFailure }
        let wanted = try FeedFault.list(faults)
        let plan = FaultPlan(seed: seed, faults: wanted)
        let files = try match.map { try MatchFile.files(at: [$0]) } ?? []
        let matches = match == nil ? [try Self.ownMatch(plan)] : try Self.matches(files, plan)
        let feed = SimulatedFeed(matches: matches, shape: shape, plan: plan, clock: ServiceClock(speed: speed))
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let name = provider
        let words = wanted.isEmpty ? "no faults" : "faults \(wanted.map(\.rawValue).sorted().joined(separator: ", "))"
        let count = Self.count(served: matches.count, found: max(files.count, matches.count))
        let summary = "\(count), seed \(seed), \(words)"
        let server = SimulatedFeedServer.application(feed, host: "127.0.0.1", port: port) { port in
            feed.open()
            // Written at once: a script waits for this line.
            let line = "feed: \(name) at http://127.0.0.1:\(port), \(summary)\n"
            FileHandle.standardOutput.write(Data(line.utf8))
        }
        try await server.run()
    }

    /// The number of matches in words, with the files that are left out.
    static func count(served: Int, found: Int) -> String {
        guard served == found else { return "\(served) of \(found) matches (the first by name, at most \(served))" }
        return "\(served) match\(served == 1 ? "" : "es")"
    }

    private static func ownMatch(_ plan: FaultPlan) throws -> PlaybackMatch {
        let document = try CricsheetDocument(json: DemoMatch.document)
        // Providers number their matches.
        return try PlaybackMatch(id: ProviderMatchID(unchecked: "1"), document: document, plan: plan)
    }

    private static func matches(_ files: [String], _ plan: FaultPlan) throws -> [PlaybackMatch] {
        try files.prefix(LabLimits.servedMatches).map { file in
            guard let id = ProviderMatchID(MatchFile.id(file)) else {
                throw ValidationError("\(file) is no name for a match; use letters, digits, dots and hyphens.")
            }
            return try MatchFile.read(file) { try PlaybackMatch(id: id, document: $0, plan: plan) }
        }
    }
}
