// Starts, ends, channels and progress as values: what is due, sent and recorded.

import HTTP2
import ScoreTypes
import TestSupport
import Testing

@testable import PushDispatcher

@Suite struct ScheduleTests {
    private let hand = Fixture.clock

    private func planned(_ number: Int) -> StartSchedule.Planned {
        StartSchedule.Planned(start: Fixture.start(number), match: Fixture.match, revision: 1, body: BodyBytes([1]))
    }

    @Test func startsAreSpreadEvenly() {
        var schedule = StartSchedule()
        #expect(schedule.plan((0..<100).map(planned), at: .zero, over: .seconds(100)).isEmpty)
        #expect(schedule.count == 100)
        #expect(schedule.due(at: .seconds(49)).count == 50)
        #expect(schedule.due(at: .seconds(99)).count == 50)
        _ = schedule.plan((0..<100).map(planned), at: .seconds(99), over: .zero)
        schedule.forget(Fixture.match)
        #expect(schedule.count == 0)
    }

    @Test func endsAreRetriedFourTimesAndThenGivenUp() {
        var endRetries = EndRetrySchedule(clock: hand.clock())
        var pendingEnd = EndRetrySchedule.PendingEnd(end: Fixture.end(1), firstTry: .zero)
        for step in [60, 300, 900, 1800].map({ Duration.seconds($0) }) {
            #expect(endRetries.failed(pendingEnd) == true)
            #expect(endRetries.due(at: step - .milliseconds(1)).isEmpty)
            let due = endRetries.due(at: step)
            #expect(due.count == 1)
            pendingEnd = due.first ?? pendingEnd
        }
        #expect(endRetries.failed(pendingEnd) == false)
        #expect(EndRetrySchedule.delays(on: ServiceClock(speed: 100_000)) == (1...4).map { .seconds($0) })
    }

    @Test func aChannelHasOneOpenRequestWithTheNewestState() throws {
        var line = BroadcastPacing(profile: .loud, sentRevision: 0, clock: hand.clock())
        let first = try #require(line.next(try Fixture.publish(1), at: .zero))
        #expect(first.encoded.revision == 1)
        #expect(line.next(try Fixture.publish(2), at: .seconds(5)) == nil)
        #expect(line.settle(.accepted, retryAfter: nil, at: .seconds(5), jitter: 0) == .accepted(1))
        #expect(line.next(try Fixture.publish(3), at: .seconds(5.9)) == nil)
        #expect(line.next(try Fixture.publish(3), at: .seconds(6))?.encoded.revision == 3)
    }

    @Test func aReplacedChannelSendsNoMoreAlerts() throws {
        var line = BroadcastPacing(profile: .loud, sentRevision: 0, clock: hand.clock())
        line.silence()
        let sending = try #require(
            line.next(try Fixture.publish(1, activeAlert: Fixture.activeAlert("w1", 1)), at: .zero)
        )
        #expect(sending.encoded.revision == 1 && !sending.hasAlert)
    }

    @Test("f: an alert is sent once, unless it certainly did not reach APNs")
    func channelAlerts() throws {
        let activeAlert = Fixture.activeAlert("w1", 1)
        var line = BroadcastPacing(profile: .loud, sentRevision: 0, clock: hand.clock())
        #expect(line.next(try Fixture.publish(1, activeAlert: activeAlert), at: .zero)?.hasAlert == true)
        _ = line.settle(.failed(.refused), retryAfter: nil, at: .zero, jitter: 0)
        #expect(line.next(try Fixture.publish(1, activeAlert: activeAlert), at: .zero)?.hasAlert == true)
        _ = line.settle(.failed(.ambiguous), retryAfter: nil, at: .zero, jitter: 0)
        #expect(line.next(try Fixture.publish(2, activeAlert: activeAlert), at: .milliseconds(999)) == nil)
        #expect(line.next(try Fixture.publish(2, activeAlert: activeAlert), at: .seconds(1))?.hasAlert == false)
        _ = line.settle(.failed(.throttled), retryAfter: .seconds(30), at: .seconds(1), jitter: 0)
        #expect(line.next(try Fixture.publish(3, activeAlert: activeAlert), at: .seconds(30)) == nil)
        #expect(line.next(try Fixture.publish(3, activeAlert: activeAlert), at: .seconds(31)) != nil)
        var quiet = BroadcastPacing(profile: .quiet, sentRevision: 0, clock: hand.clock())
        #expect(quiet.next(try Fixture.publish(1, activeAlert: activeAlert), at: .zero)?.hasAlert == false)
    }

    @Test func anAlertIsSentAgainAfterARefusalOfTheKeyOnly() throws {
        let activeAlert = Fixture.activeAlert("w1", 1)
        let encoded = try Fixture.publish(1, activeAlert: activeAlert)
        var line = BroadcastPacing(profile: .loud, sentRevision: 0, clock: hand.clock())
        #expect(line.next(encoded, at: .zero)?.hasAlert == true)
        #expect(line.settle(.rejected(.stopEnvironment), retryAfter: nil, at: .zero, jitter: 0) == nil)
        let probe = PushLimits.probeInterval
        #expect(line.next(encoded, at: probe - .milliseconds(1)) == nil)
        #expect(line.next(encoded, at: probe)?.hasAlert == true)
        #expect(line.settle(.rejected(.dropRequest), retryAfter: nil, at: probe, jitter: 0) == nil)
        let later = probe + PushLimits.rejectedBroadcastWait
        #expect(line.next(encoded, at: later - .milliseconds(1)) == nil)
        #expect(line.next(encoded, at: later)?.hasAlert == false)
    }

    @Test func aChannelSendsNoAlertOlderThanAMinute() throws {
        let activeAlert = Fixture.activeAlert("w1", 1)
        var line = BroadcastPacing(profile: .loud, sentRevision: 0, clock: hand.clock())
        hand.advance(by: PushLimits.alertAge - .milliseconds(1))
        #expect(line.next(try Fixture.publish(1, activeAlert: activeAlert), at: .zero)?.hasAlert == true)
        _ = line.settle(.failed(.refused), retryAfter: nil, at: .zero, jitter: 0)
        hand.advance(by: .milliseconds(1))
        #expect(line.next(try Fixture.publish(1, activeAlert: activeAlert), at: .zero)?.hasAlert == false)
    }

    @Test func aSuccessorRepeatsAnEndThatItsPredecessorSent() throws {
        var line = BroadcastPacing(profile: .loud, sentRevision: 9, clock: hand.clock())
        let final = try Fixture.publish(9, isFinal: true)
        #expect(line.next(final, at: .zero) == nil)
        #expect(line.next(final, at: .seconds(59)) == nil)
        #expect(line.next(final, at: .seconds(60)) != nil)
    }

    @Test func aSecondEndIsRepeatedToo() throws {
        var line = BroadcastPacing(profile: .loud, sentRevision: 0, clock: hand.clock())
        func isSent(_ revision: Int64, isFinal: Bool, at second: Int) throws -> Bool {
            let sending = line.next(try Fixture.publish(revision, isFinal: isFinal), at: .seconds(second))
            _ = line.settle(.accepted, retryAfter: nil, at: .seconds(second), jitter: 0)
            return sending != nil
        }
        #expect(try isSent(9, isFinal: true, at: 0))
        #expect(try !isSent(9, isFinal: true, at: 1))
        for second in [61, 301, 901, 1801] { #expect(try isSent(9, isFinal: true, at: second)) }
        #expect(try isSent(10, isFinal: false, at: 2000), "the match goes on")
        #expect(try isSent(11, isFinal: true, at: 2100))
        for second in [2101, 2160] { #expect(try !isSent(11, isFinal: true, at: second)) }
        #expect(try isSent(11, isFinal: true, at: 2161))
    }

    @Test func aBucketIsRecordedWhenEveryEnvironmentHasCompletedIt() {
        var tracker = ProgressTracker()
        let statuses: [PushEnvironment] = [.sandbox, .production]
        #expect(tracker.note(completion(.sandbox, 3), among: statuses) == false)
        #expect(tracker.isEmpty)
        #expect(tracker.note(completion(.production, 2), among: statuses) == true)
        #expect(tracker.take().map(\.revision) == [2])
        #expect(tracker.note(completion(.production, 2), among: statuses) == false)
        #expect(tracker.note(completion(.production, 5), among: statuses) == true)
        let batch = tracker.take()
        #expect(batch.map(\.revision) == [3])
        #expect(tracker.waitingSends == 0)
        for one in batch { tracker.add(one) }
        #expect(tracker.waitingSends == 4)
        #expect(tracker.take().map(\.revision) == [3])
        tracker.forget([Bucket.all[5]], of: Fixture.match)
        #expect(tracker.note(completion(.sandbox, 1), among: [.sandbox]) == true)
    }

    @Test func onlyAnActivityThatMissesEveryStateCountsAsSilent() {
        var missed = MissedActivities()
        for number in 1...4 { missed.missed(Fixture.device(number), 1, at: .seconds(10)) }
        missed.published(after: 1)
        missed.missed(Fixture.device(1), 2, at: .seconds(100))
        missed.reached(Fixture.device(3))
        missed.published(after: 2)
        // Misses of a replaced state are reported after the newer one.
        missed.missed(Fixture.device(2), 2, at: .seconds(110))
        missed.published(after: 3)
        #expect(Set(missed.since(.seconds(50))) == [Fixture.device(1), Fixture.device(2)])
        #expect(missed.since(.seconds(5)).isEmpty)
        #expect(missed.count == 2, "one was reached, one does not exist any more")
    }

    private func completion(_ environment: PushEnvironment, _ revision: Int64) -> LaneReport.Completion {
        let bucket = CompletedBucket(bucket: Bucket.all[5], revision: revision, sends: 4, hasAlert: false)
        return (Fixture.match, environment, bucket)
    }
}
