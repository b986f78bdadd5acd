// Behaviour 25: the conditions under which an activity with an older state than APNs accepted is stuck.

import MatchSamples
import ScoreTypes
import Testing

@testable import FollowService
@testable import LiveActivities

@Suite struct StuckActivityTests {
    private static let device = DeviceID(high: 0x1111, low: 0x9999)
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

    // MARK: The history

    @Test func theHistoryReturnsTheNewestOldRevision() {
        var history = RevisionHistory()
        #expect(history.due(at: at(9999)) == nil)
        for ball in 1...200 { history.note(Int64(ball), hash: UInt64(ball), at: at(Int64(ball) * 10)) }
        // Ball 110 was published at 1,100 s, which is 900 s before 2,000 s; marks are up to a minute apart.
        #expect(history.due(at: at(2000)).map { (104...110).contains($0) } == true)
        #expect(history.due(at: at(2000 + 899)).map { $0 < 200 } == true)
        #expect(history.due(at: at(2000 + 900)) == 200, "the newest is never removed")
    }

    @Test func aHistoryIsBoundedAndKeepsItsNewestOldMark() {
        var history = RevisionHistory()
        for second in 0..<20_000 as Range<Int64> {
            history.note(second + 1, hash: UInt64(second), at: at(second))
            #expect(history.count <= LiveActivityLimits.revisionsKept)
            guard second >= 960, second % 97 == 0, let due = history.due(at: at(second)) else { continue }
            #expect((second - 960...second - 899).contains(due), "\(second)")
        }
        // After a long break the last mark still counts.
        #expect(history.due(at: at(90_000)) == 20_000)
        history.note(30_000, hash: 1, at: at(90_000))
        #expect(history.due(at: at(90_001)) == 20_000)
    }

    /// An unchanged state is not sent, so a phone cannot lack it.
    @Test func anUnchangedStateLeavesNoMark() {
        var history = RevisionHistory()
        history.note(1, hash: 7, at: at(0))
        history.note(2, hash: 7, at: at(100))
        #expect(history.due(at: at(5000)) == 1)
        history.note(1, hash: 8, at: at(200))
        #expect(history.due(at: at(5000)) == 1, "an older revision changes nothing")
    }

    // MARK: The state of one phone

    /// Revision 20 was published fifteen minutes ago.
    @Test(
        arguments: [
            (30, 30, 20, .current), (31, 30, 20, .current), (0, 0, 20, .current),
            // The phone shows the required revision; newer ones have time.
            (20, 30, 20, .behind), (25, 30, 20, .behind),
            // Accepted long ago, and not shown.
            (19, 20, 20, .stuck), (0, 30, 20, .stuck),
            // An unaccepted state cannot be shown: that is for other alarms.
            (10, 19, 20, .behind),
            // A node that has just started has no history.
            (0, 30, nil, .behind),
        ] as [(Int64, Int64, Int64?, DisplayState)]
    )
    func aReceiptIsClassified(shown: Int64, accepted: Int64, due: Int64?, expected: DisplayState) {
        let activity = self.shown(shown, accepted: accepted)
        #expect(DisplayState(activity, due: due, now: at(900)) == expected)
        #expect(DisplayState(activity, due: due, now: at(899)) != .stuck, "a new activity has its time")
    }

    // MARK: The memory

    @Test func anActivityIsReportedOnceAndAgainOnlyAfterItWasCurrent() {
        var stuck = StuckActivities()
        let key = StuckActivities.Key(device: Self.device, activity: ActivityID(unchecked: "A"))
        #expect(stuck.record(.behind, of: key, at: .zero) == false && stuck.count == 0)
        #expect(stuck.record(.stuck, of: key, at: .zero) == true)
        #expect(stuck.record(.stuck, of: key, at: .seconds(60)) == false && stuck.count == 1)
        #expect(stuck.record(.current, of: key, at: .seconds(120)) == false && stuck.count == 0)
        #expect(stuck.record(.stuck, of: key, at: .seconds(180)) == true)
        stuck.expire(at: .seconds(180) + LiveActivityLimits.stuckKept)
        #expect(stuck.count == 0)
    }

    @Test func theMemoryOfDevicesIsBounded() {
        var stuck = StuckActivities()
        var reported = 0
        for number in 0..<(LiveActivityLimits.stuckActivities + 500) {
            let device = DeviceID(high: 1, low: UInt64(number))
            let key = StuckActivities.Key(device: device, activity: ActivityID(unchecked: "A"))
            if stuck.record(.stuck, of: key, at: .zero) { reported += 1 }
        }
        #expect(stuck.count == LiveActivityLimits.stuckActivities && reported == LiveActivityLimits.stuckActivities)
        let late = StuckActivities.Key(device: DeviceID(high: 2, low: 0), activity: ActivityID(unchecked: "A"))
        #expect(stuck.record(.stuck, of: late, at: LiveActivityLimits.stuckKept) == true, "expired ones are replaced")
    }

    // MARK: The monitor

    @Test func matchesAreBounded() {
        let monitor = ReceiptMonitor(clock: ServiceClock(monotonic: { .zero }, wall: { [start = at(5000)] in start }))
        for number in 0...LiveActivityLimits.receiptMatches {
            monitor.published(MatchID(unchecked: "m\(number)"), 1, hash: 1, at: at(Int64(number) / 100))
        }
        monitor.published(Samples.match, 7, hash: 1, at: at(1000))
        monitor.take(shown(6, accepted: 7), of: Self.device)
        #expect(monitor.stuckCount == 1, "the newest match was removed")
    }
}
