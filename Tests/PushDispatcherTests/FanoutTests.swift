// The fan-out as a value: recipients, order, and completion of buckets.

import ScoreTypes
import TestSupport
import Testing

@testable import PushDispatcher

@Suite struct FanoutTests {
    @Test func everyTokenGetsOneRequestAndBucketsCompleteAfterTheirAnswers() throws {
        let tokens = MemoryTokens(count: 5000)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        let sends = FanoutWalk.drain(&fanout, tokens)
        #expect(Set(sends.map(\.device)).count == 5000)
        #expect(sends.count == 5000)
        let empty = 1024 - Set(sends.map(\.bucket)).count
        #expect(fanout.completed.count == empty)
        for send in sends { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
        #expect(fanout.completed.count == 1024)
        #expect(fanout.completed.allSatisfy { $0.revision == 1 })
        #expect(fanout.completed.reduce(0) { $0 + $1.sends } == 5000)
        #expect(!fanout.wantsWalk)
    }

    @Test func tokensOfTheOtherEnvironmentAreNotTouched() throws {
        let tokens = MemoryTokens(count: 300)
        for number in 300..<400 { tokens.add(number, environment: .production) }
        var fanout = Fanout(match: Fixture.match, environment: .production)
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        #expect(FanoutWalk.drain(&fanout, tokens).count == 100)
    }

    @Test func bucketsRecordedAtTheRevisionAreSkipped() throws {
        let tokens = MemoryTokens(count: 2000)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(9), resumed: Bucket.all.map { ($0, $0.number < 512 ? 9 : 3) }, at: .zero)
        #expect(FanoutWalk.drain(&fanout, tokens).allSatisfy { $0.bucket >= 512 })
    }

    @Test func theNewestStateReplacesTheOlderOneAndTheWalkContinues() throws {
        let tokens = MemoryTokens(count: 3000)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        let first = FanoutWalk.drain(&fanout, tokens, max: 1000)
        for send in first { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
        fanout.offer(try Fixture.publish(2), resumed: FanoutWalk.all, at: .zero)
        let rest = FanoutWalk.drain(&fanout, tokens)
        #expect(rest.count >= 3000 && rest.count <= 3010)
        #expect(Set(rest.map(\.device)).count == 3000)
        let served = Set(first.map(\.device))
        #expect(!served.contains(rest[10].device))
        for send in rest { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
        #expect(fanout.completed.count { $0.revision == 2 } == 1024)
    }

    @Test func aBucketWaitsForItsAnswersBeforeTheNextStateUnlessThereIsAnAlert() throws {
        let tokens = MemoryTokens(count: 50)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        let stalled = FanoutWalk.drain(&fanout, tokens)
        for revision in 2...20 as ClosedRange<Int64> {
            fanout.offer(try Fixture.publish(revision), resumed: FanoutWalk.all, at: .zero)
            #expect(FanoutWalk.drain(&fanout, tokens).isEmpty)
        }
        for send in stalled { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
        let newest = FanoutWalk.drain(&fanout, tokens)
        #expect(newest.count == 50)
        #expect(newest.allSatisfy { $0.revision == 20 })
        fanout.offer(
            try Fixture.publish(21, activeAlert: Fixture.activeAlert("w1", 21)),
            resumed: FanoutWalk.all,
            at: .zero
        )
        #expect(FanoutWalk.drain(&fanout, tokens).count == 50)
    }

    @Test func atTheBoundNoBucketIsOpenedAndTheCurrentOneIsFinished() throws {
        let tokens = MemoryTokens(count: 5000)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        let next = fanout.next(at: .zero, .all, source: tokens)
        let first = try #require(next)
        var rest: [FanoutSend] = []
        while let send = fanout.next(at: .zero, .bucketUnderWay, source: tokens) { rest.append(send) }
        #expect(rest.allSatisfy { $0.bucket == first.bucket })
        #expect(fanout.passes.answeredInOpen == 0)
        fanout.settle(first, as: .accepted, at: .zero, jitter: 0)
        #expect(fanout.passes.answeredInOpen == (rest.isEmpty ? 0 : 1))
        for send in rest { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
        #expect(fanout.passes.answeredInOpen == 0)
        #expect(fanout.completed.contains { $0.bucket.number == first.bucket })
    }

    @Test func tokensRegisteredBeforeTheFirstStateReceiveIt() throws {
        let tokens = MemoryTokens(count: 100)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.late(late(3, knows: 4), at: .zero)
        // A successor finds every bucket recorded at the newest revision; only the new token lacks it.
        fanout.offer(try Fixture.publish(5), resumed: Bucket.all.map { ($0, 5) }, at: .zero)
        #expect(FanoutWalk.drain(&fanout, tokens).map(\.device) == [Fixture.device(3)])
    }

    @Test func tokensRegisteredBeforeTheTakeoverOfTheirBucketReceiveTheState() throws {
        let tokens = MemoryTokens(count: 100)
        let number = try #require((0..<100).first { Bucket(of: Fixture.device($0)).number >= 512 })
        let half = Bucket.all.prefix(512).map { (bucket: $0, revision: Int64(5)) }
        let all = Bucket.all.map { (bucket: $0, revision: Int64(5)) }
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(5), resumed: half, at: .zero)
        fanout.late(late(number, knows: 4), at: .zero)
        #expect(FanoutWalk.drain(&fanout, tokens).isEmpty)
        fanout.offer(try Fixture.publish(5), resumed: all, at: .zero)
        let sends = FanoutWalk.drain(&fanout, tokens)
        #expect(sends.map(\.device) == [Fixture.device(number)])
        for send in sends { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
        fanout.offer(try Fixture.publish(5), resumed: half, at: .zero)
        fanout.late(late(number, knows: 4), at: .zero)
        fanout.fence([Bucket(of: Fixture.device(number))])
        fanout.offer(try Fixture.publish(5), resumed: all, at: .zero)
        #expect(FanoutWalk.drain(&fanout, tokens).isEmpty, "another node has sent it meanwhile")
    }

    @Test func anAlertIsSentOnceHoweverOftenAStateIsReplaced() throws {
        let tokens = MemoryTokens(count: 4000)
        let activeAlert = Fixture.activeAlert("w1", 1)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        var alerted: [DeviceID: Int] = [:]
        for revision in 1...5 as ClosedRange<Int64> {
            fanout.offer(try Fixture.publish(revision, activeAlert: activeAlert), resumed: FanoutWalk.all, at: .zero)
            for send in FanoutWalk.drain(&fanout, tokens, max: revision == 5 ? .max : 1300) {
                if send.hasAlert { alerted[send.device, default: 0] += 1 }
                fanout.settle(send, as: .accepted, at: .zero, jitter: 0)
            }
        }
        #expect(alerted.count == 4000)
        #expect(alerted.values.allSatisfy { $0 == 1 })
    }

    @Test func theAlertIsForDevicesThatChoseItAndTheStateForAll() throws {
        let tokens = MemoryTokens(count: 0)
        for number in 0..<300 { tokens.add(number, wish: number % 3 == 0 ? .all : AlertWish(kinds: 4)) }
        var wicket = AlertReach()
        wicket.add(kinds: 1, side: 1)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        let activeAlert = Fixture.activeAlert("w1", 1, reach: wicket)
        fanout.offer(try Fixture.publish(1, activeAlert: activeAlert), resumed: FanoutWalk.all, at: .zero)
        let sends = FanoutWalk.drain(&fanout, tokens)
        #expect(sends.count == 300)
        let alerted = Set(sends.filter(\.hasAlert).map(\.device))
        #expect(alerted == Set(stride(from: 0, to: 300, by: 3).map(Fixture.device)))
        // A newer state repeats no alert, and devices without the alert stay without it.
        for send in sends { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
        fanout.offer(try Fixture.publish(2, activeAlert: activeAlert), resumed: FanoutWalk.all, at: .zero)
        let again = FanoutWalk.drain(&fanout, tokens)
        #expect(again.count == 300 && !again.contains(where: \.hasAlert))
    }

    /// A fast clock makes no fan-out quicker, so that the minute is one of real time.
    @Test(arguments: [1, 10, 600]) func anAlertOlderThanAMinuteIsNotSentAndNotUrgent(speed: Int) throws {
        let tokens = MemoryTokens(count: 500)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(
            try Fixture.publish(1, activeAlert: Fixture.activeAlert("w1", 1)),
            resumed: FanoutWalk.all,
            at: .zero
        )
        let hand = Fixture.clock
        let clock = hand.clock(speed: speed)
        hand.advance(by: PushLimits.alertAge - .milliseconds(1))
        fanout.dropOldAlert(by: clock)
        let alerted = FanoutWalk.drain(&fanout, tokens, max: 200)
        #expect(alerted.allSatisfy(\.hasAlert) && fanout.isUrgent)
        fanout.settle(alerted[0], as: .failed(.server), at: .zero, jitter: 0)
        hand.advance(by: .milliseconds(1))
        fanout.dropOldAlert(by: clock)
        let rest = FanoutWalk.drain(&fanout, tokens, at: .seconds(5))
        #expect(rest.count == 301 && !rest.contains(where: \.hasAlert) && !fanout.isUrgent)
    }

    @Test func aTokenMovedByARemovalReceivesTheAlertOnce() throws {
        let tokens = MemoryTokens(count: 0)
        var numbers: [Int] = []
        var candidate = 0
        while numbers.count < 700 {
            if Bucket(of: Fixture.device(candidate)).number == 7 {
                tokens.add(candidate)
                numbers.append(candidate)
            }
            candidate += 1
        }
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(
            try Fixture.publish(1, activeAlert: Fixture.activeAlert("w1", 1)),
            resumed: FanoutWalk.all,
            at: .zero
        )
        var sends = FanoutWalk.drain(&fanout, tokens, max: 300)
        for number in numbers.prefix(50) { tokens.remove(Fixture.device(number)) }
        sends += FanoutWalk.drain(&fanout, tokens)
        let alerted = sends.filter(\.hasAlert).map(\.device)
        #expect(Set(alerted).count == alerted.count)
        #expect(sends.count > alerted.count)
        #expect(Set(sends.map(\.device)).isSuperset(of: numbers.suffix(650).map(Fixture.device)))
    }

    @Test func aBucketRecordedAtTheAlertsRevisionReceivesTheStateOnly() throws {
        let tokens = MemoryTokens(count: 2000)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        let resumed = Bucket.all.map { ($0, Int64($0.number < 512 ? 10 : 9)) }
        fanout.offer(try Fixture.publish(11, activeAlert: Fixture.activeAlert("w1", 10)), resumed: resumed, at: .zero)
        for send in FanoutWalk.drain(&fanout, tokens) { #expect(send.hasAlert == (send.bucket >= 512)) }
    }

    @Test("H3: buckets that another node took are released at once") func fencedBucketsAreReleasedAtOnce() throws {
        let tokens = MemoryTokens(count: 5000)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        let before = FanoutWalk.drain(&fanout, tokens, max: 1)
        fanout.fence(Bucket.all.filter { $0.number != 1000 })
        let after = FanoutWalk.drain(&fanout, tokens)
        #expect(after.allSatisfy { $0.bucket == 1000 })
        #expect(!after.isEmpty)
        fanout.settle(before[0], as: .failed(.server), at: .zero, jitter: 0)
        #expect(FanoutWalk.drain(&fanout, tokens, at: .seconds(9)).isEmpty)
        for send in after { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
        #expect(fanout.completed.map(\.bucket.number) == [1000])
    }

    @Test func aReturningBucketIsSentFromItsRecordedRevision() throws {
        let tokens = MemoryTokens(count: 1000)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        for send in FanoutWalk.drain(&fanout, tokens) { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
        fanout.fence(Bucket.all.filter { $0.number < 10 })
        fanout.offer(try Fixture.publish(1), resumed: FanoutWalk.all, at: .zero)
        let again = FanoutWalk.drain(&fanout, tokens)
        #expect(!again.isEmpty)
        #expect(again.allSatisfy { $0.bucket < 10 })
    }

    @Test func aLateTokenReceivesTheNewestStateUnlessItsPhoneShowsIt() throws {
        let tokens = MemoryTokens(count: 100)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(5), resumed: FanoutWalk.all, at: .zero)
        tokens.add(500)
        fanout.late(late(500, knows: 3), at: .zero)
        #expect(FanoutWalk.drain(&fanout, tokens).count { $0.device == Fixture.device(500) } == 1)
        tokens.add(501)
        fanout.late(late(501, knows: 4), at: .zero)
        fanout.late(late(500, knows: 5), at: .zero)
        #expect(FanoutWalk.drain(&fanout, tokens).map(\.device) == [Fixture.device(501)])
    }

    @Test(arguments: [1, 2, 3, 4, 5] as [UInt64])
    func randomAnswersNeitherLoseNorRepeatAnAlert(seed: UInt64) throws {
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        let tokens = MemoryTokens(count: 3000)
        let activeAlert = Fixture.activeAlert("w1", 2)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        var (now, shown, alerted) = (Duration.zero, [DeviceID: Int64](), [DeviceID: Int]())
        var revision: Int64 = 0
        var air: [(FanoutSend, Int64)] = []
        for _ in 0..<4000 {
            if revision < 6, Int.random(in: 0..<300, using: &generator) == 0 {
                revision += 1
                let encoded = try Fixture.publish(revision, activeAlert: revision < 2 ? nil : activeAlert)
                fanout.offer(encoded, resumed: FanoutWalk.all, at: .zero)
            }
            air += FanoutWalk.drain(&fanout, tokens, max: 20, at: now).map { ($0, revision) }
            air.shuffle(using: &generator)
            while air.count > 200, let (send, sentRevision) = air.popLast() {
                let outcome = outcome(Int.random(in: 0..<10, using: &generator))
                if outcome == .accepted || outcome == .failed(.ambiguous) {
                    shown[send.device] = max(shown[send.device] ?? 0, sentRevision)
                    if send.hasAlert { alerted[send.device, default: 0] += 1 }
                }
                fanout.settle(send, as: outcome, at: now, jitter: 0.1)
            }
            now += .milliseconds(10)
        }
        while !air.isEmpty || fanout.wantsWalk || fanout.nextDue != nil {
            for (send, sentRevision) in air {
                shown[send.device] = max(shown[send.device] ?? 0, sentRevision)
                if send.hasAlert { alerted[send.device, default: 0] += 1 }
                fanout.settle(send, as: .accepted, at: now, jitter: 0.1)
            }
            now += .milliseconds(100)
            air = FanoutWalk.drain(&fanout, tokens, at: now).map { ($0, revision) }
        }
        #expect(fanout.passes.openCount == 0)
        #expect(alerted.values.allSatisfy { $0 == 1 })
        #expect(shown.values.count { $0 == revision } + fanout.missed.count >= 3000)
        #expect(fanout.completed.count { $0.revision == revision } == 1024)
    }

    private func outcome(_ draw: Int) -> PushOutcome {
        switch draw {
        case 0: .failed(.server)
        case 1: .failed(.ambiguous)
        case 2: .failed(.refused)
        default: .accepted
        }
    }

    private func late(_ number: Int, knows revision: Int64) -> LateToken {
        LateToken(
            match: Fixture.match,
            device: Fixture.device(number),
            generation: 1,
            environment: .sandbox,
            knownRevision: revision
        )
    }
}
