// Joins what feed, journal, Apple and phones wrote down into the figures of a demo.

import MatchEngine
import MatchJournal
import ScoreTypes
import Simulators

/// Counts at the end of a demo.
struct DemoTally: Sendable {
    let demo: DemoTestbed
    let options: DemoOptions

    func summary(newest: Int64, _ stream: StreamWatcher.Report) async throws -> DemoSummary {
        let statistics = demo.bed.apns.statistics
        let phones = demo.fleet.report(newest: newest)
        var summary = DemoSummary()
        summary.match = demo.match.text
        summary.balls = demo.balls
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
        summary.serverRestarts = demo.server.restarts
        try await addTimes(to: &summary, statistics)
        return summary
    }

    private func addTimes(to summary: inout DemoSummary, _ statistics: PushStatistics) async throws {
        var times = BallTimes()
        var outcome: String?
        let spans = try await times.next(
            served: demo.feed.firstServed,
            pushed: statistics.revisions,
            entries: { [demo] in try await demo.journal.entries(of: demo.match, after: $0) }
        ) { entry in
            if case .result(let result) = entry.change { outcome = Self.text(result) ?? outcome }
        }
        summary.result = outcome ?? summary.result
        var first = DurationSet()
        var last = DurationSet()
        for span in spans {
            first.add(span.first)
            last.add(span.last)
        }
        summary.ballToFirstPushP50 = first.percentile(0.5)
        summary.ballToFirstPushP99 = first.percentile(0.99)
        summary.ballToLastPushP50 = last.percentile(0.5)
        summary.ballToLastPushP99 = last.percentile(0.99)
    }

    private static func text(_ result: ProviderResult?) -> String? { result.map { "\($0.kind)" } }
}
