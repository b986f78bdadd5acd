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

    // MARK: The lists

    private func receipt(_ activity: ShownActivity, of device: DeviceID = device, at seconds: Int64 = 0) -> Receipt {
        Receipt(device: device, activity: activity, observedAt: at(seconds))
    }

    @Test func anActivityIsReportedOnceAndAgainOnlyAfterItWasCurrent() {
        var stuck = StuckActivities()
        func record(_ state: DisplayState, _ seconds: Int64) -> Bool {
            stuck.record(state, receipt(shown(1, accepted: 2), at: seconds))
        }
        #expect(record(.behind, 0) == false && stuck.count == 0)
        #expect(record(.stuck, 0) == true)
        #expect(record(.stuck, 60) == false && stuck.count == 1)
        #expect(record(.current, 120) == false && stuck.count == 0)
        #expect(record(.stuck, 180) == true)
        stuck.expire(at: at(180) + LiveActivityLimits.stuckKept)
        #expect(stuck.count == 0)
    }

    @Test func theListIsBounded() {
        var stuck = StuckActivities()
        var reported = 0
        for number in 0..<(LiveActivityLimits.stuckActivities + 500) {
            let device = DeviceID(high: 1, low: UInt64(number))
            if stuck.record(.stuck, receipt(shown(1, accepted: 2), of: device)) { reported += 1 }
        }
        #expect(stuck.count == LiveActivityLimits.stuckActivities && reported == LiveActivityLimits.stuckActivities)
        let late = DeviceID(high: 2, low: 0)
        let kept = LiveActivityLimits.stuckKept.components.seconds
        #expect(
            stuck.record(.stuck, receipt(shown(1, accepted: 2), of: late, at: kept)) == true,
            "expired ones are replaced"
        )
    }

    @Test func aPageContinuesAfterTheLastFingerprint() {
        var stuck = StuckActivities()
        for number in 1...5 {
            let activity = ShownActivity(
                activityID: ActivityID(unchecked: "A-\(number)"),
                match: Samples.match,
                shown: 1,
                accepted: 9,
                startedAt: Self.start
            )
            _ = stuck.record(.stuck, receipt(activity, of: DeviceID(high: 3, low: UInt64(number))))
        }
        let first = stuck.page(of: nil, after: "", limit: 3)
        let second = stuck.page(of: Samples.match, after: first.last?.fingerprint ?? "", limit: 3)
        #expect(first.count == 3 && second.count == 2)
        #expect(Set((first + second).map(\.device)).count == 5)
        #expect(stuck.page(of: MatchID(unchecked: "other"), after: "", limit: 3).isEmpty)
    }

    @Test func anActivityIsTakenForARestartOnce() {
        var stuck = StuckActivities()
        _ = stuck.record(.stuck, receipt(shown(1, accepted: 2)))
        #expect(stuck.takeRestarts(of: MatchID(unchecked: "other"), limit: 10).isEmpty)
        let taken = stuck.takeRestarts(of: Samples.match, limit: 10)
        #expect(taken.map(\.device) == [Self.device])
        _ = stuck.record(.stuck, receipt(shown(1, accepted: 3), at: 60))
        #expect(stuck.takeRestarts(of: Samples.match, limit: 10).isEmpty)
        stuck.returnRestarts(taken, of: Samples.match, at: at(60))
        #expect(stuck.takeRestarts(of: Samples.match, limit: 10).count == 1, "the store could not answer")
    }

    @Test func anActivityThatHasRecoveredIsNotStartedAgain() {
        var stuck = StuckActivities()
        _ = stuck.record(.stuck, receipt(shown(1, accepted: 2)))
        _ = stuck.record(.current, receipt(shown(2, accepted: 2), at: 60))
        #expect(stuck.takeRestarts(of: Samples.match, limit: 10).isEmpty)

        _ = stuck.record(.stuck, receipt(shown(2, accepted: 3), at: 120))
        let taken = stuck.takeRestarts(of: Samples.match, limit: 10)
        #expect(taken.count == 1)
        _ = stuck.record(.current, receipt(shown(3, accepted: 3), at: 180))
        stuck.returnRestarts(taken, of: Samples.match, at: at(180))
        #expect(stuck.takeRestarts(of: Samples.match, limit: 10).isEmpty, "it recovered while the store failed")
    }

    // MARK: The monitor

    @Test func matchesAreBounded() {
        let monitor = ReceiptMonitor(clock: ServiceClock(monotonic: { .zero }, wall: { [start = at(5000)] in start }))
        for number in 0...LiveActivityLimits.receiptMatches {
            monitor.published(MatchID(unchecked: "m\(number)"), 1, hash: 1, at: at(Int64(number) / 100))
        }
        monitor.published(Samples.match, 7, hash: 1, at: at(1000))
        monitor.take([receipt(shown(6, accepted: 7), at: 5000)])
        #expect(monitor.stuckCount == 1, "the newest match was removed")
    }

    /// A phone without network sends later what it showed then; the age of the report counts.
    @Test func anOldObservationIsJudgedByItsOwnTime() {
        let monitor = ReceiptMonitor(clock: ServiceClock(monotonic: { .zero }, wall: { [start = at(5000)] in start }))
        monitor.published(Samples.match, 7, hash: 7, at: at(1000))
        monitor.take([receipt(shown(6, accepted: 7), at: 1100)])
        #expect(monitor.stuckCount == 0)
        monitor.take([receipt(shown(6, accepted: 7), at: 1900)])
        #expect(monitor.stuckCount == 1)
    }

    @Test func aPhoneThatReportsNothingIsNotStuck() {
        let monitor = ReceiptMonitor(clock: ServiceClock(monotonic: { .zero }, wall: { [start = at(5000)] in start }))
        monitor.published(Samples.match, 6, hash: 6, at: at(1000))
        monitor.take([receipt(shown(6, accepted: 6), at: 1001)])
        monitor.published(Samples.match, 7, hash: 7, at: at(1100))
        monitor.expire()
        #expect(monitor.stuckCount == 0, "iOS runs no app for an update, so silence proves nothing")
    }
}
