// Starts, ends, channels and progress as values: what is due, what is told, what is remembered.

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

    @Test func endsClimbFourStepsAndThenRest() {
        var ladder = EndLadder(clock: hand.clock())
        var rung = EndLadder.Rung(end: Fixture.end(1), firstTry: .zero)
        for step in EndLadder.steps {
            #expect(ladder.failed(rung) == true)
            #expect(ladder.due(at: step - .milliseconds(1)).isEmpty)
            let due = ladder.due(at: step)
            #expect(due.count == 1)
            rung = due.first ?? rung
        }
        #expect(ladder.failed(rung) == false)
        #expect(EndLadder.steps(on: ServiceClock(speed: 100_000)) == (1...4).map { .seconds($0) })
    }

    @Test func aChannelHasOneRequestInTheAirAndCarriesTheNewest() throws {
        var line = BroadcastLine(profile: .loud, sentRevision: 0, clock: hand.clock())
        let first = try #require(line.next(try Fixture.launch(1), at: .zero))
        #expect(first.launch.revision == 1)
        #expect(line.next(try Fixture.launch(2), at: .seconds(5)) == nil)
        #expect(line.settle(.accepted, retryAfter: nil, at: .seconds(5), jitter: 0) == 1)
        #expect(line.next(try Fixture.launch(3), at: .seconds(5.9)) == nil)
        #expect(line.next(try Fixture.launch(3), at: .seconds(6))?.launch.revision == 3)
    }

    @Test func aChannelThatIsChangedForAnotherTellsNothingMore() throws {
        var line = BroadcastLine(profile: .loud, sentRevision: 0, clock: hand.clock())
        line.silence()
        let sending = try #require(line.next(try Fixture.launch(1, riding: Fixture.riding("w1", 1)), at: .zero))
        #expect(sending.launch.revision == 1 && !sending.hasAlert)
    }

    @Test("f: an alert is told once, unless it certainly did not reach APNs")
    func channelAlerts() throws {
        let riding = Fixture.riding("w1", 1)
        var line = BroadcastLine(profile: .loud, sentRevision: 0, clock: hand.clock())
        #expect(line.next(try Fixture.launch(1, riding: riding), at: .zero)?.hasAlert == true)
        _ = line.settle(.failed(.refused), retryAfter: nil, at: .zero, jitter: 0)
        #expect(line.next(try Fixture.launch(1, riding: riding), at: .zero)?.hasAlert == true)
        _ = line.settle(.failed(.ambiguous), retryAfter: nil, at: .zero, jitter: 0)
        #expect(line.next(try Fixture.launch(2, riding: riding), at: .milliseconds(999)) == nil)
        #expect(line.next(try Fixture.launch(2, riding: riding), at: .seconds(1))?.hasAlert == false)
        _ = line.settle(.failed(.throttled), retryAfter: .seconds(30), at: .seconds(1), jitter: 0)
        #expect(line.next(try Fixture.launch(3, riding: riding), at: .seconds(30)) == nil)
        #expect(line.next(try Fixture.launch(3, riding: riding), at: .seconds(31)) != nil)
        var quiet = BroadcastLine(profile: .quiet, sentRevision: 0, clock: hand.clock())
        #expect(quiet.next(try Fixture.launch(1, riding: riding), at: .zero)?.hasAlert == false)
    }

    @Test func aChannelTellsNoAlertOfAMinuteAgo() throws {
        let riding = Fixture.riding("w1", 1)
        var line = BroadcastLine(profile: .loud, sentRevision: 0, clock: hand.clock())
        hand.advance(by: MatchPacing.alertAgeMax - .milliseconds(1))
        #expect(line.next(try Fixture.launch(1, riding: riding), at: .zero)?.hasAlert == true)
        _ = line.settle(.failed(.refused), retryAfter: nil, at: .zero, jitter: 0)
        hand.advance(by: .milliseconds(1))
        #expect(line.next(try Fixture.launch(1, riding: riding), at: .zero)?.hasAlert == false)
    }

    @Test func aSuccessorRepeatsAnEndThatItsPredecessorTold() throws {
        var line = BroadcastLine(profile: .loud, sentRevision: 9, clock: hand.clock())
        let final = try Fixture.launch(9, isFinal: true)
        #expect(line.next(final, at: .zero) == nil)
        #expect(line.next(final, at: .seconds(59)) == nil)
        #expect(line.next(final, at: .seconds(60)) != nil)
    }

    @Test func aBucketIsRecordedWhenEveryWorldIsThroughWithIt() {
        var ledger = ProgressLedger()
        let worlds: [PushEnvironment] = [.sandbox, .production]
        #expect(ledger.note(completion(.sandbox, 3), among: worlds) == false)
        #expect(ledger.isEmpty)
        #expect(ledger.note(completion(.production, 2), among: worlds) == true)
        #expect(ledger.take().map(\.revision) == [2])
        #expect(ledger.note(completion(.production, 2), among: worlds) == false)
        #expect(ledger.note(completion(.production, 5), among: worlds) == true)
        let batch = ledger.take()
        #expect(batch.map(\.revision) == [3])
        #expect(ledger.waitingSends == 0)
        for one in batch { ledger.putBack(one) }
        #expect(ledger.waitingSends == 4)
        #expect(ledger.take().map(\.revision) == [3])
        ledger.forget([Bucket.all[5]], of: Fixture.match)
        #expect(ledger.note(completion(.sandbox, 1), among: [.sandbox]) == true)
    }

    @Test func onlyWhoMissesEveryStateCountsAsSilent() {
        var missed = MissedActivities()
        for number in 1...4 { missed.missed(Fixture.device(number), 1, at: .seconds(10)) }
        missed.launched(after: 1)
        missed.missed(Fixture.device(1), 2, at: .seconds(100))
        missed.reached(Fixture.device(3))
        missed.launched(after: 2)
        // What the newer state overtook is told after it.
        missed.missed(Fixture.device(2), 2, at: .seconds(110))
        missed.launched(after: 3)
        #expect(Set(missed.since(.seconds(50))) == [Fixture.device(1), Fixture.device(2)])
        #expect(missed.since(.seconds(5)).isEmpty)
        #expect(missed.count == 2, "one was reached, one is not there any more")
    }

    private func completion(_ environment: PushEnvironment, _ revision: Int64) -> LaneReport.Completion {
        let bucket = CompletedBucket(bucket: Bucket.all[5], revision: revision, sends: 4, hasAlert: false)
        return LaneReport.Completion(match: Fixture.match, environment: environment, bucket: bucket)
    }
}
