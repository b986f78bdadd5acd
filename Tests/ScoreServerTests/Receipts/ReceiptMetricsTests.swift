// Behaviour 25: stuck activities in the metrics and in the log.

import CoreMetrics
import LiveActivities
import Logging
import MatchSamples
import Postgres
import ScoreTypes
import Synchronization
import Testing

@testable import FollowService
@testable import ScoreServer

@Suite struct ReceiptMetricsTests {
    private static let start = Instant(milliseconds: 1_790_000_000_000)

    private func at(_ seconds: Int64) -> Instant { Self.start + .seconds(seconds) }

    private func shown(_ shown: Int64, accepted: Int64, startedAt: Instant = start) -> ShownActivity {
        ShownActivity(
            activityID: ActivityID(unchecked: "8D0F-secret-activity"),
            match: Samples.match,
            shown: shown,
            accepted: accepted,
            startedAt: startedAt
        )
    }

    /// The lines that were logged.
    private final class Lines: Sendable {
        private let kept = Mutex<[String]>([])
        var all: [String] { kept.withLock { $0 } }
        func add(_ line: String) { kept.withLock { $0.append(line) } }
    }

    private struct LineHandler: LogHandler {
        let lines: Lines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let fields = (event.metadata ?? [:]).sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
            lines.add("\(event.message) \(fields.joined(separator: " "))")
        }
    }

    @Test("25: a stuck activity is counted at each receipt of its phone, and logged once without its id")
    func countsAndLogs() {
        let (lines, registry) = (Lines(), MetricRegistry())
        let wall = Mutex(Self.start)
        let clock = ServiceClock(monotonic: { .zero }, wall: { wall.withLock { $0 } })
        let monitor = ReceiptMonitor(
            clock: clock,
            log: Logger(label: "test") { _ in LineHandler(lines: lines) },
            metrics: PrometheusMetricsFactory(registry: registry)
        )
        let device = Samples.device().id
        monitor.published(Samples.match, 10, hash: 1, at: at(0))
        monitor.published(Samples.match, 20, hash: 2, at: at(100))
        func take(_ activity: ShownActivity, of device: DeviceID, at seconds: Int64) {
            wall.withLock { $0 = at(seconds) }
            monitor.take([Receipt(device: device, activity: activity, observedAt: at(seconds))])
        }
        take(shown(9, accepted: 20), of: device, at: 950)
        take(shown(9, accepted: 20), of: device, at: 951)
        take(shown(9, accepted: 20), of: device, at: 1010)
        #expect(monitor.stuckCount == 1)
        take(shown(8, accepted: 20), of: device, at: 1011)
        // It has revision 20, the newest that it should show by now.
        take(shown(20, accepted: 20), of: device, at: 1012)
        #expect(monitor.stuckCount == 0)
        let other = DeviceID(high: 5, low: 5)
        take(shown(10, accepted: 20), of: other, at: 1012)
        #expect(monitor.stuckCount == 1)
        let text = PrometheusText.render(registry)
        #expect(text.contains("score_activity_confirmations_total{shown=\"stuck\"} 3\n"))
        #expect(text.contains("score_activity_confirmations_total{shown=\"current\"} 1\n"))
        #expect(text.contains("score_receipts_total{result=\"moved\"} 3\n"))
        #expect(text.contains("score_receipts_total{result=\"unmoved\"} 1\n"))
        #expect(text.contains("score_receipts_total{result=\"repeated\"} 1\n"), "the same report within a minute")
        #expect(text.contains("score_receipts_total{result=\"outdated\"} 1\n"), "an older revision")
        #expect(text.contains("score_activities_stuck 1\n"))
        #expect(text.contains("score_activity_confirm_lag_revisions_count 4\n"))
        #expect(lines.all.count == 2, "once each time that it becomes stuck")
        #expect(lines.all.allSatisfy { !$0.contains("8D0F") && $0.contains("accepted=20 activity=") })
        monitor.forget([ActivityID(unchecked: "8D0F-secret-activity")], of: other)
        #expect(monitor.stuckCount == 0)
    }

    @Test("25: an activity is stuck when it reconciles with a state older than the accepted one in the store")
    func receiptsUpdateTheMetrics() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            let long = ServiceClock().wall + .seconds(-3600)
            let activity = """
                {"matchId":"ipl-final","token":"\(String(repeating: "ab", count: 40))","apnsEnvironment":"sandbox",
                "startedAtMs":\(long.milliseconds),"lastAppliedRev":5,"clientSeq":1}
                """
            let put = try await stores.client.send("PUT", "/v1/devices/me/activities/A-1", phone, json: activity)
            #expect(put.status == 201)
            func reconcile(_ shown: Int64, _ sequence: Int) async throws {
                let body = """
                    {"activities":[{"activityId":"A-1","matchId":"ipl-final","lastAppliedRev":\(shown)}],
                    "clientSeq":\(sequence)}
                    """
                let answer = try await stores.client.send("POST", "/v1/devices/me/reconcile", phone, json: body)
                #expect(answer.status == 200)
            }
            stores.receipts.published(Samples.match, 6, hash: 6, at: long)
            try await reconcile(5, 2)
            #expect(stores.receipts.stuckCount == 0, "no state was accepted yet")
            let accept = Statement(
                """
                insert into fanout (match_id, bucket, term, sent_rev, sent_at)
                select match_id, bucket, 1, 7, now() from activity
                """
            )
            _ = try await stores.pool.query(accept) { _ in () }
            try await reconcile(5, 3)
            #expect(stores.receipts.stuckCount == 1)
            let page = stores.receipts.stuck(of: Samples.match, after: "", limit: 10)
            #expect(page.map(\.shown) == [5] && page.map(\.accepted) == [7])
            try await reconcile(6, 4)
            #expect(stores.receipts.stuckCount == 0)
            stores.receipts.published(Samples.match, 7, hash: 7, at: long + .seconds(60))
            try await reconcile(6, 5)
            #expect(stores.receipts.stuckCount == 1)
            // The phone reports that the activity is gone.
            let none = #"{"activities":[],"clientSeq":6}"#
            _ = try await stores.client.send("POST", "/v1/devices/me/reconcile", phone, json: none)
            #expect(stores.receipts.stuckCount == 0)
        }
    }
}
