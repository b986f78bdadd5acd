// `score-lab soak`: whether a server that does everything at once keeps its memory and its descriptors.

import ArgumentParser
import Foundation
import Logging

/// Runs a soak.
struct SoakCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "soak",
        abstract: "Play matches for minutes with phones, streams and faults, and judge the server's memory.",
        discussion: """
            Rounds of matches with corrections, a feed and an APNs with random faults, phones with the client library, \
            new registrations and short streams run at once against one server. Its resident memory and descriptors \
            are sampled every two seconds; the last two thirds are fitted with a line. APNs delivers some pushes after \
            later ones. Exits 0 only if neither grows beyond its limit, no screen went back, the server's process is \
            the same at the end, and each quarter of the run has accepted pushes, states on streams, registrations and \
            revisions.
            """
    )

    @Option(help: "Minutes.")
    var minutes = 30

    @Option(help: "How many times real time; a T20 takes about three and a half hours of it.")
    var speed = 300

    @Option(help: "Matches of a round.")
    var matches = 3

    @Option(help: "Phones of each match.")
    var followers = 40

    @Option(help: "Draws phones and faults.")
    var seed: UInt64 = 1

    @Flag(help: "Keep the data folder.")
    var keep = false

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func validate() throws {
        guard LabLimits.soakMinutes.contains(minutes) else {
            let (least, most) = (LabLimits.soakMinutes.lowerBound, LabLimits.soakMinutes.upperBound)
            throw ValidationError("--minutes must be from \(least) to \(most).")
        }
        guard (1...10_000).contains(speed) else { throw ValidationError("--speed must be from 1 to 10000.") }
        guard (1...LabLimits.soakMatches).contains(matches), (1...LabLimits.crashClients).contains(followers) else {
            throw ValidationError(
                "--matches must be from 1 to \(LabLimits.soakMatches), --followers to \(LabLimits.crashClients)."
            )
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let isQuiet = json
        let soak = SoakRun(options: self) { line in
            if !isQuiet { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }
        }
        let report = try await untilSignal { try await soak.run(undoneBy: $0) }
        report.show(asJSON: json)
        guard report.isFlat else { throw ExitCode.failure }
    }
}
