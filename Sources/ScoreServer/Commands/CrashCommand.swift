// `score-server crash`: what a node's sudden end costs is shown, not promised.

import ArgumentParser
import Foundation
import Logging
import MatchJournal
import Postgres
import ScoreTypes
import Simulators

/// Loses nodes in the middle of balls.
struct CrashCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash",
        abstract: "Kill or stop one of two servers in the middle of a ball, again and again, and count at the phones.",
        discussion: """
            Two server processes share one private PostgreSQL and push to a simulated APNs. Exits 0 only if no phone \
            missed a ball, none went back, what was sent twice stays within its bound, and the lost node's writes are \
            refused.
            """
    )

    @Option(help: "Accidents, each with a seed of its own.")
    var seeds = 20

    @Option(help: "The first seed.")
    var firstSeed: UInt64 = 1

    @Option(help: "Activities, each with a token of its own.")
    var activities = 200_000

    @Flag(help: "Keep the folder with the servers' log.")
    var keep = false

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func validate() throws {
        guard (1...CrashMatch.ballsMax / 3).contains(seeds) else {
            throw ValidationError("--seeds must be from 1 to \(CrashMatch.ballsMax / 3).")
        }
        guard (5_000...2_000_000).contains(activities) else {
            throw ValidationError("--activities must be from 5000 to 2000000.")
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let folder = try DemoFolder.make()
        let stage = try await CrashStage.build(activities: activities, in: folder)
        let outcomes: [CrashOutcome]
        do {
            outcomes = try await accidents(on: stage)
        } catch {
            await stage.takeDown()
            if keep { print("Kept \(folder.url.path)") } else { folder.remove() }
            throw error
        }
        let report = CrashReport(
            activities: activities,
            streamsMost: stage.apns.statistics.streamsMost,
            outcomes: outcomes
        )
        await stage.takeDown()
        if keep { print("Kept \(folder.url.path)") } else { folder.remove() }
        print(json ? String(decoding: report.json, as: UTF8.self) : report.text)
        if !report.isRight { throw ExitCode.failure }
    }

    private func accidents(on stage: CrashStage) async throws -> [CrashOutcome] {
        var match = CrashMatch(journal: Journal(pool: stage.pool))
        try await match.begin()
        for node in stage.nodes { try node.start() }
        // Whoever takes a bucket over sends again what was registered shortly before; that is not what is counted.
        try await Task.sleep(for: CrashRun.settleTime)
        var outcomes: [CrashOutcome] = []
        if !json { print(CrashReport.head) }
        for seed in firstSeed..<firstSeed + UInt64(seeds) {
            outcomes.append(try await CrashRun(stage: stage, phones: activities, seed: seed).run(&match))
            if !json { print(CrashReport.line(outcomes[outcomes.count - 1])) }
        }
        return outcomes
    }
}
