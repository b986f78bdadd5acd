// `score-lab bench audience`: what PostgreSQL and a takeover cost with as many devices as a final has.

import ArgumentParser
import Foundation
import Logging

/// Measures audiences of one or several sizes.
struct BenchAudienceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audience",
        abstract: "Fill a private PostgreSQL with devices, follows and activities, and measure the product on it.",
        discussion: """
            Half of the devices follow the final, the others one of the other matches each; the tokens of a fifth \
            rotate first. Several sizes are measured one after the other, each on a database of its own, and what is \
            more than 20 % worse at the last one is marked.
            """
    )

    @Option(help: "Devices; may be repeated, the least number first.")
    var devices: [Int] = [1_000_000]

    @Option(help: "Matches that they follow; with 1 all of them follow the final.")
    var matches = 200

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func validate() throws {
        guard devices.allSatisfy(LabLimits.audienceDevices.contains), devices == devices.sorted() else {
            throw ValidationError(
                """
                --devices must be from \(LabLimits.audienceDevices.lowerBound) to \
                \(LabLimits.audienceDevices.upperBound), the least number first.
                """
            )
        }
        guard (1...LabLimits.audienceMatches).contains(matches) else {
            throw ValidationError("--matches must be from 1 to \(LabLimits.audienceMatches).")
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let figures = try await untilSignal { try await measure(undoneBy: $0) }
        figures.show(asJSON: json)
    }

    private func measure(undoneBy teardown: Teardown) async throws -> AudienceFigures {
        let isQuiet = json
        let sink = try BenchSink.start(core: nil, undoneBy: teardown)
        var figures = AudienceFigures()
        for size in devices {
            let run = AudienceRun(devices: size, matches: matches, sink: sink) { line in
                if !isQuiet { FileHandle.standardError.write(Data("\(size): \(line)\n".utf8)) }
            }
            // The disk of one size is free before the next one is filled.
            let part = Teardown()
            teardown.add { await part.run() }
            figures.sizes.append((size, try await run.run(undoneBy: part)))
            await part.run()
        }
        return figures
    }
}
