// `score-lab verify-feeds`: the whole way in, held against misbehaving feeds of every provider.

import ArgumentParser
import Foundation
import ScoreTypes
import Simulators

/// Plays match files through simulated feeds and holds what came out against the files.
struct VerifyFeedsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-feeds",
        abstract: "Play Cricsheet files through faulty feeds of every provider; exit 1 for a scorecard that differs.",
        discussion: """
            Each match is sent in each provider's format, late, wrong, corrected and malformed as the seed says, and \
            read one to twelve balls a poll. At the end its card must equal that of the file, no score may have fallen \
            without a correction, no alert may be missing, and at most one announced alert in a thousand may be untrue \
            at the end. Alerts that are corrected by the scorer later, or omitted, have bounds of their own.
            """
    )

    @Argument(help: "Cricsheet JSON files, or folders of them.")
    var paths: [String]

    @Option(help: "sportmonks, roanuz, entitysport, cricketdata or cricsheet; without it all five.")
    var provider: String?

    @Option(help: "Seed of all faults.")
    var seed: UInt64 = FeedVerification.seed

    @Flag(help: "Poll at the intervals of the server instead of once in one to twelve balls.")
    var live = false

    @Option(help: "Only the match of this file name.")
    var only: String?

    @Option(help: "Only so many of the files, picked evenly; the same ones every time.")
    var sample: Int?

    @Option(help: "Learn the waits of each provider from so many of the files first, with other faults.")
    var learn = 0

    @Flag(help: "Print one JSON object with the figures of each provider and of all.")
    var json = false

    @Flag(help: "Print every alert that was revoked or is untrue at the end, and every line that differs.")
    var all = false

    func validate() throws {
        if let sample, sample < 1 { throw ValidationError("--sample must be at least 1.") }
        guard provider.map({ Provider(rawValue: $0) != nil }) ?? true else {
            throw ValidationError(
                "--provider must be one of \(Provider.allCases.map(\.rawValue).joined(separator: ", "))."
            )
        }
    }

    func run() async throws {
        var files = try MatchFile.files(at: paths)
        if let only { files = files.filter { $0.hasSuffix("/\(only).json") || $0 == "\(only).json" } }
        if let sample { files = FeedVerification.sample(sample, of: files) }
        let providers = provider.flatMap(Provider.init).map { [$0] } ?? Provider.allCases
        var run = FeedVerification(
            files: files,
            providers: providers,
            seed: seed,
            pace: live ? .live : .strides,
            workers: ProcessInfo.processInfo.activeProcessorCount
        )
        let start = ContinuousClock.now
        if learn > 0 { run.waits = await run.learned(from: learn) }
        let progress = ProofProgress(of: files.count * providers.count)
        let (linesMax, isVerbose) = (all ? Int.max : LabLimits.failureLines, all)
        let sums = await run.run { verdict in
            progress.advance()
            var lines = verdict.failures.prefix(linesMax).map { "FAILED \(verdict.place): \($0)" }
            if isVerbose {
                lines += verdict.revoked.map { "revoked \(verdict.place): \($0)" }
                lines += verdict.untrue.map { "untrue \(verdict.place): \($0)" }
                lines += verdict.putRight.map { "corrected \(verdict.place): \($0)" }
            }
            // Written at once: a run of all matches takes many minutes.
            if !lines.isEmpty { FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8)) }
        }
        let figures = FeedFigures(
            sums: providers.compactMap { provider in sums[provider].map { (provider, $0) } },
            waits: run.waits,
            seed: seed,
            pace: run.pace,
            files: files.count,
            seconds: Int((ContinuousClock.now - start) / .seconds(1))
        )
        figures.show(asJSON: json)
        guard !files.isEmpty, figures.isGood else { throw ExitCode.failure }
    }
}
