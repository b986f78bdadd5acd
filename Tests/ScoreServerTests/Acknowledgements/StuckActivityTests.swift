// Behaviour 25: APNs said yes, and the phone shows something older; who hears of it, and who does not.

import CoreMetrics
import FollowService
import Logging
import MatchJournal
import Postgres
import Providers
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct StuckActivityTests {
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

    // MARK: The trail

    @Test func theTrailTellsWhatHasBeenOutForLong() {
        var trail = StateTrail()
        #expect(trail.due(at: at(9999)) == nil)
        for ball in 1...200 { trail.note(Int64(ball), hash: UInt64(ball), at: at(Int64(ball) * 10)) }
        // Ball 110 came out at 1,100 s, which is 900 s before 2,000 s; marks are up to a minute apart.
        #expect(trail.due(at: at(2000)).map { (104...110).contains($0) } == true)
        #expect(trail.due(at: at(2000 + 899)).map { $0 < 200 } == true)
        #expect(trail.due(at: at(2000 + 900)) == 200, "the newest is never thinned out")
    }

    @Test func aTrailIsBoundedAndNeverForgetsItsNewestOldMark() {
        var trail = StateTrail()
        for second in 0..<20_000 as Range<Int64> {
            trail.note(second + 1, hash: UInt64(second), at: at(second))
            #expect(trail.count <= StateTrail.marksMax)
            guard second >= 960, second % 97 == 0, let due = trail.due(at: at(second)) else { continue }
            #expect((second - 960...second - 899).contains(due), "\(second)")
        }
        // After a long break the last mark still counts.
        #expect(trail.due(at: at(90_000)) == 20_000)
        trail.note(30_000, hash: 1, at: at(90_000))
        #expect(trail.due(at: at(90_001)) == 20_000)
    }

    /// What shows nothing new is sent to nobody; a phone that lacks its number lacks nothing.
    @Test func unchangedPicturesLeaveNoMark() {
        var trail = StateTrail()
        trail.note(1, hash: 7, at: at(0))
        trail.note(2, hash: 7, at: at(100))
        #expect(trail.due(at: at(5000)) == 1)
        trail.note(1, hash: 8, at: at(200))
        #expect(trail.due(at: at(5000)) == 1, "and what is told again comes from the past")
    }

    // MARK: The verdict

    /// Revision 20 has been out for fifteen minutes.
    @Test(
        arguments: [
            (30, 30, 20, .current), (31, 30, 20, .current), (0, 0, 20, .current),
            // Shown is what had to be; the newer ones have time.
            (20, 30, 20, .behind), (25, 30, 20, .behind),
            // Accepted, and long ago, and not shown.
            (19, 20, 20, .stuck), (0, 30, 20, .stuck),
            // Nobody could show what APNs has not accepted: that is for other alarms.
            (10, 19, 20, .behind),
            // A node that has just begun knows nothing yet.
            (0, 30, nil, .behind),
        ] as [(Int64, Int64, Int64?, DisplayVerdict)]
    )
    func verdicts(shown: Int64, accepted: Int64, due: Int64?, verdict: DisplayVerdict) {
        let activity = self.shown(shown, accepted: accepted)
        #expect(DisplayVerdict(activity, due: due, now: at(900)) == verdict)
        #expect(DisplayVerdict(activity, due: due, now: at(899)) != .stuck, "a young activity is given its time")
    }

    // MARK: The memory

    @Test func eachOneIsToldOnceAndAgainOnlyAfterItWentOn() {
        var stuck = StuckActivities()
        let key = StuckActivities.Key(device: Samples.device().id, activity: ActivityID(unchecked: "A"))
        #expect(stuck.book(.behind, of: key, at: .zero) == false && stuck.count == 0)
        #expect(stuck.book(.stuck, of: key, at: .zero) == true)
        #expect(stuck.book(.stuck, of: key, at: .seconds(60)) == false && stuck.count == 1)
        #expect(stuck.book(.current, of: key, at: .seconds(120)) == false && stuck.count == 0)
        #expect(stuck.book(.stuck, of: key, at: .seconds(180)) == true)
        stuck.expire(at: .seconds(180) + StuckActivities.memory)
        #expect(stuck.count == 0)
    }

    @Test func theMemoryIsBounded() {
        var stuck = StuckActivities()
        var told = 0
        for number in 0..<(StuckActivities.countMax + 500) {
            let device = DeviceID(high: 1, low: UInt64(number))
            let key = StuckActivities.Key(device: device, activity: ActivityID(unchecked: "A"))
            if stuck.book(.stuck, of: key, at: .zero) { told += 1 }
        }
        #expect(stuck.count == StuckActivities.countMax && told == StuckActivities.countMax)
        let late = StuckActivities.Key(device: DeviceID(high: 2, low: 0), activity: ActivityID(unchecked: "A"))
        #expect(stuck.book(.stuck, of: late, at: StuckActivities.memory) == true, "the old ones make room")
    }

    // MARK: The desk

    /// Writes down what was logged.
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

    @Test("25: a stuck activity is counted at each word of its phone, and told by one line without its id")
    func countsAndTells() {
        let (lines, registry) = (Lines(), MetricRegistry())
        let wall = Mutex(Self.start)
        let clock = ServiceClock(monotonic: { .zero }, wall: { wall.withLock { $0 } })
        let desk = AcknowledgementDesk(
            clock: clock,
            log: Logger(label: "test") { _ in LineHandler(lines: lines) },
            metrics: PrometheusMetricsFactory(registry: registry)
        )
        let device = Samples.device().id
        desk.published(Samples.match, 10, hash: 1, at: at(0))
        desk.published(Samples.match, 20, hash: 2, at: at(100))
        wall.withLock { $0 = at(950) }
        desk.take(shown(9, accepted: 20), of: device)
        desk.take(shown(9, accepted: 20), of: device)
        #expect(desk.stuckCount == 1)
        // It has 10, which is all that had to be there by now.
        desk.take(shown(10, accepted: 20), of: device)
        #expect(desk.stuckCount == 0)
        wall.withLock { $0 = at(1000) }
        desk.take(shown(10, accepted: 20), of: device)
        desk.take(shown(20, accepted: 20), of: DeviceID(high: 5, low: 5))
        #expect(desk.stuckCount == 1)
        let text = PrometheusText.render(registry)
        #expect(text.contains("score_activity_confirmations_total{shown=\"stuck\"} 3\n"))
        #expect(text.contains("score_activity_confirmations_total{shown=\"behind\"} 1\n"))
        #expect(text.contains("score_activity_confirmations_total{shown=\"current\"} 1\n"))
        #expect(text.contains("score_activities_stuck 1\n"))
        #expect(text.contains("score_activity_confirm_lag_revisions_bucket{le=\"10\"} 3\n"))
        #expect(text.contains("score_activity_confirm_lag_revisions_count 5\n"))
        #expect(lines.all.count == 2, "once each time that it got stuck")
        #expect(lines.all.allSatisfy { !$0.contains("8D0F") && $0.contains("accepted=20 activity=") })
        desk.forget([ActivityID(unchecked: "8D0F-secret-activity")], of: device)
        #expect(desk.stuckCount == 0)
    }

    @Test func matchesAreBounded() {
        let desk = AcknowledgementDesk(clock: ServiceClock(monotonic: { .zero }, wall: { [start = at(5000)] in start }))
        for number in 0...AcknowledgementDesk.matchesMax {
            desk.published(MatchID(unchecked: "m\(number)"), 1, hash: 1, at: at(Int64(number) / 100))
        }
        desk.published(Samples.match, 7, hash: 1, at: at(1000))
        desk.take(shown(6, accepted: 7), of: Samples.device().id)
        #expect(desk.stuckCount == 1, "the newest match was not the one to go")
    }

    @Test("25: a phone that reconciles with an old picture is found stuck, by what the store says was accepted")
    func fromTheWireToTheGauge() async throws {
        try await withStore { rooms in
            let phone = try await rooms.register()
            let long = ServiceClock().wall + .seconds(-3600)
            let activity = """
                {"matchId":"ipl-final","token":"\(String(repeating: "ab", count: 40))","apnsEnvironment":"sandbox",
                "startedAtMs":\(long.milliseconds),"lastAppliedRev":5,"clientSeq":1}
                """
            let put = try await rooms.client.send("PUT", "/v1/devices/me/activities/A-1", phone, json: activity)
            #expect(put.status == 201)
            func reconcile(_ shown: Int64, _ sequence: Int) async throws {
                let body = """
                    {"activities":[{"activityId":"A-1","matchId":"ipl-final","lastAppliedRev":\(shown)}],
                    "clientSeq":\(sequence)}
                    """
                let answer = try await rooms.client.send("POST", "/v1/devices/me/reconcile", phone, json: body)
                #expect(answer.status == 200)
            }
            rooms.acknowledgements.published(Samples.match, 6, hash: 6, at: long)
            try await reconcile(5, 2)
            #expect(rooms.acknowledgements.stuckCount == 0, "nothing was accepted yet")
            let accept = Statement(
                """
                insert into fanout (match_id, bucket, term, sent_rev, sent_at)
                select match_id, bucket, 1, 7, now() from activity
                """
            )
            _ = try await rooms.pool.query(accept) { _ in () }
            try await reconcile(5, 3)
            #expect(rooms.acknowledgements.stuckCount == 1)
            try await reconcile(6, 4)
            #expect(rooms.acknowledgements.stuckCount == 0)
            try await reconcile(5, 5)
            // The phone has it no longer, and says so.
            let none = #"{"activities":[],"clientSeq":6}"#
            _ = try await rooms.client.send("POST", "/v1/devices/me/reconcile", phone, json: none)
            #expect(rooms.acknowledgements.stuckCount == 0)
        }
    }
}
