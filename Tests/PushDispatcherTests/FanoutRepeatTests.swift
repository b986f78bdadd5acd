// The fan-out as a value: which tokens are retried, when, and with what.

import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct FanoutRepeatTests {
    @Test func retriesCarryTheAlertUnlessTheFailureIsAmbiguous() throws {
        let tokens = MemoryTokens(count: 2)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(
            try Fixture.publish(1, activeAlert: Fixture.activeAlert("w1", 1)),
            resumed: FanoutWalk.all,
            at: .zero
        )
        let sends = FanoutWalk.drain(&fanout, tokens)
        try #require(sends.count == 2)
        fanout.settle(sends[0], as: .failed(.server), at: .zero, jitter: 0.5)
        fanout.settle(sends[1], as: .failed(.ambiguous), at: .zero, jitter: 0.5)
        #expect(FanoutWalk.drain(&fanout, tokens, at: .milliseconds(2999)).isEmpty)
        let again = FanoutWalk.drain(&fanout, tokens, at: .seconds(3))
        #expect(again.count == 2)
        #expect(again.first { $0.device == sends[0].device }?.hasAlert == true)
        #expect(again.first { $0.device == sends[1].device }?.hasAlert == false)
        #expect(fanout.completed.count == 1022)
        for send in again { fanout.settle(send, as: .accepted, at: .seconds(3), jitter: 0) }
        #expect(fanout.completed.count == 1024)
    }

    @Test func aBucketCompletesWithoutATokenThatFailsForTenSeconds() throws {
        let tokens = MemoryTokens(count: 1)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        var (now, tries) = (Duration.zero, 0)
        while fanout.completed.count < 1024, tries < 100 {
            for send in FanoutWalk.drain(&fanout, tokens, at: now) {
                tries += 1
                fanout.settle(send, as: .failed(.server), at: now, jitter: 0.5)
            }
            now = fanout.nextDue ?? now + .seconds(1)
        }
        #expect(tries == 4)
        #expect(fanout.missed.map(\.device) == [Fixture.device(0)])
        let later = try #require(fanout.nextDue)
        #expect(later - now >= .zero)
        let again = FanoutWalk.drain(&fanout, tokens, at: later)
        #expect(again.map(\.device) == [Fixture.device(0)])
        for send in again { fanout.settle(send, as: .failed(.ambiguous), at: later, jitter: 0.5) }
        #expect(fanout.completed.count == 1024)
        #expect(fanout.missedCount == 1 && fanout.missed.map(\.revision) == [1, 1], "sent again, not counted")
        #expect(fanout.nextDue == later + .seconds(3))
        for send in FanoutWalk.drain(&fanout, tokens, at: .seconds(1800)) {
            fanout.settle(send, as: .failed(.server), at: .seconds(1800), jitter: 0)
        }
        #expect(fanout.nextDue == nil)
    }

    @Test(
        "a failing token is tried again after 1 to 5 s for a minute, then every 15 to 30 s",
        arguments: [0.0, 0.5, 0.99],
        [RetryClass.server, .ambiguous, .refused]
    )
    func aFailingTokenIsTriedOften(jitter: Double, failure: RetryClass) throws {
        let tokens = MemoryTokens(count: 1)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        var (now, tries) = (Duration.zero, [Duration]())
        while now < .seconds(180) {
            for send in FanoutWalk.drain(&fanout, tokens, at: now) {
                tries.append(now)
                fanout.settle(send, as: .failed(failure), at: now, jitter: jitter)
            }
            now = fanout.nextDue ?? .seconds(180)
        }
        let waits = zip(tries, tries.dropFirst()).map { (from: $0, wait: $1 - $0) }
        let early = waits.filter { $0.from <= PushLimits.frequentRetryWindow }
        #expect(early.count >= 12 && early.allSatisfy { $0.wait <= .seconds(5) })
        let later = early.filter { $0.from >= PushLimits.bucketRetryWindow }
        #expect(later.allSatisfy { $0.wait >= .seconds(1) }, "a token that is not processed is no tight loop")
        let rest = waits.filter { $0.from > PushLimits.frequentRetryWindow }
        #expect(rest.count >= 3 && rest.allSatisfy { (Duration.seconds(15)...Duration.seconds(30)).contains($0.wait) })
    }

    @Test func endOfAMatchIsRepeatedByItsScheduleOnly() throws {
        let tokens = MemoryTokens(count: 1)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1, isFinal: true), resumed: FanoutWalk.all, at: .zero)
        for second in 0..<30 {
            for send in FanoutWalk.drain(&fanout, tokens, at: .seconds(second)) {
                fanout.settle(send, as: .failed(.server), at: .seconds(second), jitter: 0.5)
            }
        }
        #expect(fanout.missed.map(\.device) == [Fixture.device(0)])
        #expect(fanout.nextDue == nil)
    }

    @Test func aNewerStateReplacesTheRetriesOfTheOlderOne() throws {
        let tokens = MemoryTokens(count: 500)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        for send in FanoutWalk.drain(&fanout, tokens) {
            fanout.settle(send, as: .failed(.server), at: .zero, jitter: 0)
        }
        fanout.offer(try Fixture.publish(2), resumed: FanoutWalk.all, at: .zero)
        let sends = FanoutWalk.drain(&fanout, tokens, at: .seconds(60))
        #expect(sends.count == 500)
        #expect(fanout.supersededCount == 500)
        for send in sends { fanout.settle(send, as: .accepted, at: .seconds(60), jitter: 0) }
        #expect(fanout.passes.openCount == 0)
        #expect(fanout.completed.count { $0.revision == 2 } == 1024)
    }

    @Test("A6, 1.6: a throttled token is not sent to during APNs' Retry-After, whatever is published meanwhile")
    func aHeldTokenReceivesTheNewestState() throws {
        let tokens = MemoryTokens(count: 300)
        let (held, activeAlert) = (Fixture.device(3), Fixture.activeAlert("w2", 2))
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        for send in FanoutWalk.drain(&fanout, tokens) {
            let outcome: PushOutcome = send.device == held ? .failed(.throttled) : .accepted
            fanout.settle(send, as: outcome, at: .zero, jitter: 0, retryAfter: .seconds(40))
        }
        #expect(fanout.completed.takeAll().count == 1024, "its bucket does not wait that long")
        #expect(fanout.nextDue == .seconds(40), "nor is it tried before")
        fanout.offer(try Fixture.publish(2, activeAlert: activeAlert), resumed: FanoutWalk.all, at: .seconds(5))
        let walked = FanoutWalk.drain(&fanout, tokens, at: .seconds(5))
        #expect(walked.count == 299 && !walked.contains { $0.device == held })
        for send in walked { fanout.settle(send, as: .accepted, at: .seconds(5), jitter: 0) }
        let completed = fanout.completed.takeAll()
        #expect(completed.count == 1024 && completed.flatMap(\.owed) == [held])
        #expect(Set(fanout.missed.takeAll().map(\.revision)) == [1, 2], "it counts as having missed both")
        #expect(FanoutWalk.drain(&fanout, tokens, at: .milliseconds(39_999)).isEmpty)
        let again = FanoutWalk.drain(&fanout, tokens, at: .seconds(40))
        #expect(again.map(\.device) == [held] && again.allSatisfy { $0.revision == 2 && $0.hasAlert })
        #expect(again.allSatisfy(\.isDemoted) && !walked.contains(where: \.isDemoted))
        for send in again { fanout.settle(send, as: .accepted, at: .seconds(40), jitter: 0) }
        #expect(fanout.caughtUp.takeAll() == [held])
        fanout.offer(try Fixture.publish(3), resumed: FanoutWalk.all, at: .seconds(41))
        let free = FanoutWalk.drain(&fanout, tokens, at: .seconds(41))
        #expect(free.count == 300 && !free.contains(where: \.isDemoted), "it is free again")
    }

    @Test func aBadTokenMissesTheStateWithoutARetry() throws {
        let tokens = MemoryTokens(count: 2)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(7, isFinal: true), resumed: FanoutWalk.all, at: .zero)
        for send in FanoutWalk.drain(&fanout, tokens) {
            let outcome: PushOutcome = send.device == Fixture.device(1) ? .rejected(.quarantine) : .accepted
            fanout.settle(send, as: outcome, at: .zero, jitter: 0)
        }
        #expect(fanout.nextDue == nil)
        let missed = fanout.missed.takeAll()
        #expect(missed.map(\.device) == [Fixture.device(1)] && missed.map(\.revision) == [7])
        #expect(missed.allSatisfy { !$0.isGivenUp }, "the end is not repeated to a token that is bad")
    }

    @Test func aTokenThrottledRepeatedlyWaitsLongerEachTime() {
        var held = ThrottledTokens()
        let device = Fixture.device(1)
        var now = Duration.zero
        let waits = (0..<9).map { _ in
            let wait = held.hold(device, 1, asked: nil, at: now)
            now += wait
            return wait
        }
        #expect(waits == [5, 10, 20, 40, 80, 160, 320, 600, 600].map { .seconds($0) })
        #expect(held.hold(device, 1, asked: .seconds(900), at: now) == .seconds(900))
        #expect(held.until(device, 1, at: now) == now + .seconds(900))
        #expect(held.until(device, 2, at: now) == nil, "a newer token is another one")
        held.release(device)
        #expect(held.isEmpty)
    }

    @Test func aRefusedAlertIsStillSentWithANewerState() throws {
        let tokens = MemoryTokens(count: 200)
        let activeAlert = Fixture.activeAlert("w1", 1)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1, activeAlert: activeAlert), resumed: FanoutWalk.all, at: .zero)
        for send in FanoutWalk.drain(&fanout, tokens) {
            fanout.settle(
                send,
                as: send.device == Fixture.device(3) ? .failed(.server) : .accepted,
                at: .zero,
                jitter: 0
            )
        }
        fanout.offer(try Fixture.publish(2, activeAlert: activeAlert), resumed: FanoutWalk.all, at: .zero)
        #expect(
            FanoutWalk.drain(&fanout, tokens, at: .seconds(60)).filter(\.hasAlert).map(\.device) == [Fixture.device(3)]
        )
    }
}
