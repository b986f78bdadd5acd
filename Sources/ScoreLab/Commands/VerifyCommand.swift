// `score-lab verify`: the engine held against every match that was ever recorded.

import ArgumentParser
import Foundation

/// Folds match files and holds each against what was published.
struct VerifyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract:
            "Fold Cricsheet files and compare each with its published result; exit 1 for an unexplained difference.",
        discussion: """
            Winner, margin, tie, super over, draw, no result and target are compared with the file; totals, wickets, \
            balls and partnerships with each other. Known faults of the data are listed in docs/special_cases.md.
            """
    )

    @Argument(help: "Cricsheet JSON files, or folders of them.")
    var paths: [String]

    @Option(help: "A CSV table of innings totals to compare every innings with.")
    var totals: String?

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func run() async throws {
        let run = VerifyRun(
            files: try MatchFile.files(at: paths),
            totals: try totals.map { try InningsTotals(path: $0) },
            faults: .committed,
            workers: ProcessInfo.processInfo.activeProcessorCount
        )
        let bar = isatty(STDERR_FILENO) == 1 && !json ? ProgressBar(total: run.files.count) : nil
        let report = await run.run { done in bar?.show(done) }
        bar?.end()
        print(json ? String(decoding: report.json, as: UTF8.self) : report.text)
        if !json { print("\(report.sum.matches) matches in \((report.seconds * 10).rounded() / 10) s") }
        if report.sum.unexplained > 0 { throw ExitCode.failure }
    }
}

/// A line on the terminal that says how far a long run is.
private struct ProgressBar: Sendable {
    /// Characters of the whole bar.
    static let width = 40
    /// Files between two drawings, so that drawing costs nothing.
    static let step = 50
    let total: Int

    func show(_ done: Int) {
        guard done.isMultiple(of: Self.step) || done == total else { return }
        let filled = Self.width * done / max(1, total)
        let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: Self.width - filled)
        FileHandle.standardError.write(Data("\r[\(bar)] \(done) of \(total)".utf8))
    }

    func end() { FileHandle.standardError.write(Data("\n".utf8)) }
}
