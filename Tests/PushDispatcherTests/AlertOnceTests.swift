// Within one process an alert goes out once to a device and once on a channel, whatever is walked or read again.

import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct AlertOnceTests {
    @Test func aBucketWhoseWalkIsBrokenOffAlertsOnlyTheRest() {
        var round = AlertRound(Fixture.activeAlert("w1", 1))
        func isAlerted(_ number: Int, in bucket: Int) -> Bool { round.take(Fixture.device(number), .all, in: bucket) }
        #expect(isAlerted(0, in: 5))
        // The tokens of bucket 5 are loaded again meanwhile, and bucket 6 is walked.
        #expect(isAlerted(3, in: 6))
        round.finish(6)
        #expect(!isAlerted(0, in: 5), "it has had the alert")
        #expect(isAlerted(1, in: 5))
        #expect(!isAlerted(1, in: 5))
        round.finish(5)
        #expect(!isAlerted(2, in: 5), "a bucket is walked with the alert once")
    }

    @Test func anActivityThatIsNewerThanTheAlertDoesNotReceiveIt() {
        var alert = Fixture.activeAlert("w1", 1)
        alert.second = 1_000
        var round = AlertRound(alert)
        func isAlerted(_ number: Int, newSince: UInt32) -> Bool {
            round.take(Fixture.device(number), .all, newSince: newSince, in: 5)
        }
        #expect(!isAlerted(1, newSince: 1_001), "it was registered later")
        #expect(isAlerted(2, newSince: 1_000))
        #expect(isAlerted(3, newSince: 0), "it was registered again since")
    }

    @Test func anAlertGoesOnOnceWhenTokensAreLoadedAgainDuringTheWalk() throws {
        let tokens = MemoryTokens(count: 3000)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        let alert = try Fixture.publish(1, activeAlert: Fixture.activeAlert("w1", 1))
        fanout.offer(alert, resumed: FanoutWalk.all, at: .zero)
        var alerted = FanoutWalk.drain(&fanout, tokens, max: 1500)
        // The bucket at hand is lost, and comes back as unsent.
        let bucket = try #require(alerted.last.map { Bucket(of: $0.device) })
        fanout.fence([bucket])
        alerted += FanoutWalk.drain(&fanout, tokens, max: 600)
        fanout.offer(alert, resumed: FanoutWalk.all, at: .zero)
        alerted += FanoutWalk.drain(&fanout, tokens)
        let counts = Dictionary(grouping: alerted.filter(\.hasAlert), by: \.device).mapValues(\.count)
        #expect(counts.count == 3000)
        #expect(counts.values.allSatisfy { $0 == 1 })
    }

    private func record(_ name: String, generation: Int32, sent: Int64) throws -> ChannelRecord {
        var record = ChannelRecord(
            match: Fixture.match,
            environment: .production,
            attributesType: "LiveActivityAttributes",
            profile: .loud,
            generation: generation,
            channel: try #require(ChannelID(name)),
            createdAt: Fixture.committedAt
        )
        record.sentRevision = sent
        return record
    }

    @Test func anOpenBroadcastIsKnownAfterTheRecordsAreReadAgain() throws {
        var channels = ChannelDirectory.MatchChannels()
        let record = try record("AAAA==", generation: 1, sent: 0)
        let alert = try Fixture.publish(1, activeAlert: Fixture.activeAlert("w1", 1))
        channels.take([record], clock: ServiceClock())
        let first = channels.pacings[record.channel]?.next(alert, at: .zero)
        channels.take([record], clock: ServiceClock())
        let second = channels.pacings[record.channel]?.next(alert, at: .seconds(60))
        #expect(first?.hasAlert == true && second == nil)
    }

    @Test func anAlertWithoutAnAnswerIsNotRepeatedByAnotherNodeButItsStateIs() throws {
        var channels = ChannelDirectory.MatchChannels()
        var record = try record("AAAA==", generation: 1, sent: 4)
        let alert = try Fixture.publish(5, activeAlert: Fixture.activeAlert("w1", 5))
        channels.take([record], clock: ServiceClock())
        #expect(channels.pacings[record.channel]?.next(alert, at: .zero)?.hasAlert == true)
        let settled = channels.pacings[record.channel]?.settle(
            .failed(.ambiguous),
            retryAfter: nil,
            at: .zero,
            jitter: 0
        )
        #expect(settled == .unansweredAlert(5))
        record.unansweredAlertRevision = 5
        var successor = ChannelDirectory.MatchChannels()
        successor.take([record], clock: ServiceClock())
        let next = successor.pacings[record.channel]?.next(alert, at: .zero)
        #expect(next?.hasAlert == false)
        let renewal = try self.record("BBBB==", generation: 2, sent: 0)
        successor.take([record, renewal], clock: ServiceClock())
        #expect(successor.pacings[renewal.channel]?.next(alert, at: .zero)?.hasAlert == false)
    }

    @Test func theNextGenerationDoesNotRepeatAnAlert() throws {
        var channels = ChannelDirectory.MatchChannels()
        let old = try record("AAAA==", generation: 1, sent: 5)
        let new = try record("BBBB==", generation: 2, sent: 0)
        channels.take([old, new], clock: ServiceClock())
        let older = try Fixture.publish(6, activeAlert: Fixture.activeAlert("w1", 5))
        let first = channels.pacings[new.channel]?.next(older, at: .zero)
        #expect(first?.hasAlert == false, "its activities had it on the first generation")
        _ = channels.pacings[new.channel]?.settle(.accepted, retryAfter: nil, at: .zero, jitter: 0)
        let newer = try Fixture.publish(7, activeAlert: Fixture.activeAlert("w2", 7))
        let second = channels.pacings[new.channel]?.next(newer, at: .seconds(60))
        #expect(second?.hasAlert == true)
    }
}
