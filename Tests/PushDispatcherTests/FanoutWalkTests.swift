// A bucket may leave during its walk; tokens that the walk did not reach must not count as sent.

import ScoreTypes
import Synchronization
import Testing

@testable import PushDispatcher

@Suite struct FanoutWalkTests {
    /// 300 tokens of one bucket: two slices.
    private static func crowded() -> (tokens: MemoryTokens, bucket: Bucket) {
        let tokens = MemoryTokens(count: 0)
        let bucket = Bucket(of: Fixture.device(0))
        var (number, found) = (0, 0)
        while found < 300 {
            if Bucket(of: Fixture.device(number)) == bucket {
                tokens.add(number)
                found += 1
            }
            number += 1
        }
        return (tokens, bucket)
    }

    @Test func aBucketReleasedBeforeOrDuringItsWalkIsNeverComplete() throws {
        let (tokens, bucket) = Self.crowded()
        for sent in [0, 100, 255] {
            tokens.state.withLock { $0.served = [bucket] }
            var fanout = Fanout(match: Fixture.match, environment: .sandbox)
            fanout.offer(try Fixture.publish(1), resumed: [(bucket, 0)], at: .zero)
            var sends = FanoutWalk.drain(&fanout, tokens, max: sent)
            tokens.state.withLock { $0.served = [] }
            sends += FanoutWalk.drain(&fanout, tokens)
            for send in sends { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
            #expect(sends.count < 300)
            #expect(fanout.completed.isEmpty)
            #expect(fanout.lost.takeAll() == [bucket])
            #expect(!fanout.wantsWalk)
        }
    }

    @Test func onlyDevicesWithoutFrequentPushesAreDemoted() throws {
        let tokens = MemoryTokens(count: 0)
        tokens.add(1)
        tokens.add(2, wish: AlertWish(kinds: 0xF, isInfrequent: true))
        for (infrequent, demoted) in [(PushPriority.five, [Fixture.device(2)]), (.ten, [])] {
            var fanout = Fanout(match: Fixture.match, environment: .sandbox)
            var alert = Fixture.activeAlert("w1", 1)
            alert.infrequentPriority = infrequent
            fanout.offer(try Fixture.publish(1, activeAlert: alert), resumed: FanoutWalk.all, at: .zero)
            let sends = FanoutWalk.drain(&fanout, tokens)
            #expect(sends.count == 2 && sends.allSatisfy(\.hasAlert))
            #expect(sends.filter(\.isDemoted).map(\.device) == demoted)
            for send in sends { fanout.settle(send, as: .failed(.refused), at: .zero, jitter: 0) }
            let repeats = FanoutWalk.drain(&fanout, tokens, at: .seconds(1))
            #expect(repeats.count == 2 && repeats.filter(\.isDemoted).map(\.device) == demoted)
        }
    }

    @Test func aReloadedBucketIsWalkedFromItsEnd() throws {
        let (tokens, bucket) = Self.crowded()
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: [(bucket, 0)], at: .zero)
        var sends = FanoutWalk.drain(&fanout, tokens, max: 100)
        tokens.state.withLock { $0.builds[bucket] = 2 }
        sends += FanoutWalk.drain(&fanout, tokens)
        for send in sends { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
        #expect(fanout.lost.takeAll() == [bucket] && fanout.completed.isEmpty)
        fanout.offer(try Fixture.publish(1), resumed: [(bucket, 0)], at: .zero)
        let again = FanoutWalk.drain(&fanout, tokens)
        #expect(Set(again.map(\.device)).count == 300)
        for send in again { fanout.settle(send, as: .accepted, at: .zero, jitter: 0) }
        #expect(fanout.completed.map(\.bucket) == [bucket])
        #expect(fanout.completed.first?.sends == 300)
    }
}
