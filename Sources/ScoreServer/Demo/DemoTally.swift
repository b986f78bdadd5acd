// Joins what feed, journal, Apple and phones wrote down into the figures of a demo.

import MatchEngine
import ScoreIngest
import ScoreTypes
import Simulators

/// Counts at the end of a demo.
struct DemoTally: Sendable {
    /// Journal entries read at once.
    private static let pageMax = 2_000

    let stage: DemoStage
    let options: DemoOptions

    func summary(newest: Int64, _ stream: StreamWatcher.Report) async throws -> DemoSummary {
        let statistics = stage.apns.statistics
        let phones = stage.fleet.report(newest: newest)
        var summary = DemoSummary()
        summary.match = stage.match.text
        summary.balls = stage.feed.ballCount
        summary.revisions = newest
        summary.followers = options.followers
        summary.pushesAccepted = statistics.accepted
        summary.pushesAtHighPriority = statistics.acceptedAtHighPriority
        summary.pushesRejected = statistics.refused.values.reduce(0, +)
        summary.pushesFailed = statistics.traps.values.reduce(0, +)
        summary.starts = statistics.events["start"] ?? 0
        summary.updates = statistics.events["update"] ?? 0
        summary.ends = statistics.events["end"] ?? 0
        summary.alerts = statistics.acceptedWithAlert
        summary.broadcasts = statistics.broadcasts
        summary.phones = phones.phones
        summary.phonesAtNewest = phones.atNewest
        summary.phonesWentBack = phones.wentBack
        summary.phonesUndecodable = phones.undecodable
        summary.streamRevisions = stream.revisions
        summary.streamWentBack = stream.wentBack
        summary.serverRestarts = stage.child.restarts
        try await addTimes(to: &summary, statistics)
        return summary
    }

    private func addTimes(to summary: inout DemoSummary, _ statistics: PushStatistics) async throws {
        let served = stage.feed.firstServed
        let pushed = statistics.revisions.keys.sorted()
        var first = DurationSet()
        var last = DurationSet()
        var ball = 0
        var after: Int64 = 0
        while true {
            let entries = try await stage.journal.entries(of: stage.match, after: after, limit: Self.pageMax)
            guard let end = entries.last else { break }
            after = end.revision
            for entry in entries {
                if case .result(let result) = entry.change { summary.result = Self.text(result) ?? summary.result }
                guard case .inserted = entry.change else { continue }
                defer { ball += 1 }
                guard ball < served.count, let times = Self.times(of: entry.revision, pushed, statistics) else {
                    continue
                }
                first.add(times.first - served[ball])
                last.add(times.last - served[ball])
            }
        }
        summary.ballToFirstPushP50 = first.percentile(0.5)
        summary.ballToFirstPushP99 = first.percentile(0.99)
        summary.ballToLastPushP50 = last.percentile(0.5)
        summary.ballToLastPushP99 = last.percentile(0.99)
    }

    /// The times of the publication that first showed a revision.
    private static func times(
        of revision: Int64,
        _ pushed: [Int64],
        _ statistics: PushStatistics
    ) -> RevisionTimes? {
        var low = 0
        var high = pushed.count
        while low < high {
            let middle = (low + high) / 2
            if pushed[middle] < revision { low = middle + 1 } else { high = middle }
        }
        return low < pushed.count ? statistics.revisions[pushed[low]] : nil
    }

    private static func text(_ result: ProviderResult?) -> String? { result.map { "\($0.kind)" } }
}
