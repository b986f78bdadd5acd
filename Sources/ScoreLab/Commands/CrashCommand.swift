// `score-lab crash`: measures what the sudden end of a node costs.

import ArgumentParser
import Foundation
import Logging
import MatchJournal
import Simulators

/// Kills or stops nodes in the middle of a fan-out.
struct CrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash",
        abstract: "Kill or stop one of two servers in the middle of a wicket, repeatedly; count what phones receive.",
        discussion: """
            Two server processes share one private PostgreSQL and push to a simulated APNs. Simulated phones decide \
            by the rules of iOS what they show (docs/simulated-phones.md); some run the client library of apps. Of \
            three seeds in a row one kills a node (SIGKILL), one stops it for a time (SIGSTOP), and one ends it in \
            order (SIGTERM). Exits 0 only if no phone missed a ball or the wicket's alert, none went back or had two \
            cards, no alert was accepted twice after SIGTERM, the number of repeated sends and alerts stays within \
            its bound otherwise, the nodes share their provider token, and the writes of the lost node are refused.
            """
    )

    @Option(help: "Crashes, each with its own seed.")
    var seeds = 20

    @Option(help: "The first seed.")
    var firstSeed: UInt64 = 1

    @Option(help: "Activities, each with its own token.")
    var activities = 200_000

    @Option(help: "Further phones, each with the client library of apps and half of them on a channel.")
    var clients = 200

    @Flag(help: "Keep the folder with the servers' log.")
    var keep = false

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func validate() throws {
        guard (1...LabLimits.crashSeeds).contains(seeds) else {
            throw ValidationError("--seeds must be from 1 to \(LabLimits.crashSeeds).")
        }
        guard (5_000...LabLimits.crashActivities).contains(activities) else {
            throw ValidationError("--activities must be from 5000 to \(LabLimits.crashActivities).")
        }
        guard (0...LabLimits.crashClients).contains(clients) else {
            throw ValidationError("--clients must be from 0 to \(LabLimits.crashClients).")
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let report = try await untilSignal { try await self.report(undoneBy: $0) }
        report.show(asJSON: json)
        if !report.isRight { throw ExitCode.failure }
    }

    private func report(undoneBy teardown: Teardown) async throws -> CrashReport {
        var report = CrashReport(activities: activities, clients: clients)
        if !json { print(CrashReport.head) }
        let end = firstSeed + UInt64(seeds)
        for first in stride(from: firstSeed, to: end, by: LabLimits.crashSeedsPerMatch) {
            let last = min(first + UInt64(LabLimits.crashSeedsPerMatch), end) - 1
            try await play(first...last, into: &report, undoneBy: teardown)
            await teardown.run()
        }
        return report
    }

    /// Plays some seeds on a test bed of their own.
    private func play(
        _ seeds: ClosedRange<UInt64>,
        into report: inout CrashReport,
        undoneBy teardown: Teardown
    ) async throws {
        let crash = try await CrashTestbed.build(
            activities: activities,
            clients: clients,
            keepsFolder: keep,
            say: { print($0) },
            undoneBy: teardown
        )
        var match = CrashMatch(journal: Journal(pool: crash.pool))
        try await match.begin()
        for node in crash.nodes { try node.start() }
        try await crash.enrollClients(showing: match.revision)
        // A node that takes a bucket over sends recent registrations again, which is not what is counted.
        try await Task.sleep(for: CrashRun.settleTime)
        for seed in seeds {
            let outcome = try await CrashRun(crash: crash, phones: activities, seed: seed).run(&match)
            report.outcomes.append(outcome)
            if !json { print(CrashReport.line(outcome)) }
        }
        report.add(crash.bed.apns.statistics)
    }
}
