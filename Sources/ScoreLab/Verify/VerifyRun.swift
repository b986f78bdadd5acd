// Each match file is compared with what was published of it.

import ScoreTypes

/// Verifies files side by side.
struct VerifyRun: Sendable {
    let files: [String]
    let totals: InningsTotals?
    let faults: KnownFaults
    let workers: Int

    /// Verifies all; `progress` receives the number of finished files.
    func run(progress: @escaping @Sendable (Int) -> Void) async -> VerifyReport {
        let start = ContinuousClock.now
        var report = VerifyReport()
        await MatchFile.work(on: files.count, workers: workers) { index in
            defer { progress(index + 1) }
            return findings(files[index])
        } join: {
            report.add($0, faults: faults)
        }
        report.seconds = (ContinuousClock.now - start).inSeconds
        return report
    }

    private func findings(_ path: String) -> MatchFindings {
        let id = MatchFile.id(path)
        guard let bytes = MatchFile.bytes(path) else {
            let reason = "file: " + MatchFile.unreadable
            return MatchFindings(id: id, format: "unreadable", deliveries: 0, reasons: [reason])
        }
        return .verify(bytes, id: id, totals: totals)
    }
}
