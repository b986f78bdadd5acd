// A channel exists before an app needs it, as far as Apple allows.

import FollowService
import Foundation
import LiveSurface
import MatchJournal
import MatchSamples
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import LiveActivities

@Suite(.timeLimit(.minutes(2))) struct ChannelCreationTests {
    private func kind(_ match: MatchID = Samples.match, _ profile: ChannelProfile = .loud) -> ChannelKind {
        ChannelKind(
            match: match,
            environment: .sandbox,
            attributesType: APNsTestAccount.attributesType,
            profile: profile
        )
    }

    private func match(_ setup: PushSetup, _ match: MatchID = Samples.match, hours: Int64) async throws {
        let statement = Statement(
            """
            insert into match (match_id, feed_id, epoch, starts_at)
            values ($1, 'f', 'abcdefgh', now() + $2 * interval '1 hour')
            on conflict (match_id) do update set starts_at = excluded.starts_at
            """
        )
        try await setup.pool.execute(statement, [.text(match.text), .int(hours)])
    }

    @Test("a requested channel is created from 48 hours before the match on, once, by one node")
    func aChannelIsCreatedTwoDaysBeforeItsMatch() async throws {
        let setup = try await PushSetup()
        let (node, other) = (try await setup.node("a"), try await setup.node("b"))
        try await match(setup, hours: 49)
        #expect(try await node.follow.channels.currentOrRequested([kind(), kind(Samples.match, .quiet)]).isEmpty)
        await node.push.channels.createRequested()
        #expect(try await node.push.dispatcher.channels.list(.sandbox).isEmpty)
        try await match(setup, hours: 47)
        for _ in 0..<2 {
            await node.push.channels.createRequested()
            await other.push.channels.createRequested()
        }
        let listed = try await node.push.dispatcher.channels.list(.sandbox)
        let named = try await node.follow.channels.currentOrRequested([kind(), kind(Samples.match, .quiet)])
        #expect(listed.count == 2 && Set(listed) == Set(named.values))
        #expect(node.push.channelProblem == nil)
        await node.stop()
        await setup.stop(other)
    }

    @Test("at the limit the unused channel of the latest match is deleted for a match that begins sooner")
    func theNearestMatchWinsAtTheLimit() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a")
        let (near, far) = (MatchID(unchecked: "near"), MatchID(unchecked: "far"))
        for (match, hours) in [(far, 40), (near, 2), (MatchID(unchecked: "farther"), 47)] as [(MatchID, Int64)] {
            try await self.match(setup, match, hours: hours)
        }
        _ = try await node.push.dispatcher.channels.ensure(kind(far))
        let capacity = LiveActivityLimits.channelsMax - LiveActivityLimits.channelsReserved
        let fill = Statement(
            """
            insert into channel (match_id, env, attributes_type, profile, generation, channel_id, opened_at)
            select 'in use', 0, 'T', 'loud', n, 'used' || n, now() from generate_series(1, $1) n
            """
        )
        try await setup.pool.execute(fill, [.int(Int64(capacity - 1))])
        _ = try await node.follow.channels.currentOrRequested([kind(near), kind(MatchID(unchecked: "farther"))])
        await node.push.channels.createRequested()
        let left = Statement("select match_id from channel where attributes_type <> 'T'")
        #expect(try await setup.pool.query(left) { try $0.text(0) } == ["near"])
        #expect(try await node.push.dispatcher.channels.list(.sandbox).count == 1)
        await setup.stop(node)
    }

    @Test("MS034: without the Broadcast capability the readiness detail names the trap, until it is switched on")
    func aMissingCapabilityIsVisible() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a")
        setup.apple.setBroadcastCapability(false)
        await node.push.channels.round()
        #expect(node.push.channelProblem?.contains("MS034") == true)
        setup.apple.setBroadcastCapability(true)
        await node.push.channels.round()
        #expect(node.push.channelProblem == nil)
        await setup.stop(node)
    }

    @Test("a start on a channel names it in the attributes, counts as an activity, and begins the channel's age")
    func aStartOnAChannelCountsBeforeItsReport() async throws {
        try await PushSetup.withAudience { setup, node in
            let start = setup.screen(101, .pushToStart)
            try await node.phone(1, abilities: [.activities, .frequentPushes, .alerts, .channels], startToken: 101)
            try await node.report()
            try await eventually("it was started") { start.all.count == 1 }
            let recorded = Statement("select count(*) from follow where start_channel is not null")
            try await eventually("the start is recorded") { try await setup.number(recorded) == 1 }
            let channel = try #require(try await node.follow.channels.channels(of: Samples.match).first)
            let attributes = try #require(start.aps.first?["attributes"])
            let decoded = try JSONDecoder().decode(
                LiveActivityAttributes.self,
                from: JSONSerialization.data(withJSONObject: attributes)
            )
            #expect(decoded.channelId == channel.channel.text && decoded.matchId == Samples.match.text)
            #expect(channel.openedAt != nil)
            try await setup.pool.execute(Statement("update follow set start_sent_at = now() - interval '1 hour'"))
            let buckets = Bucket.all[0]...Bucket.all[Bucket.count - 1]
            let alerted = try await node.follow.alertAudience.page(
                of: Samples.match,
                buckets: buckets,
                kind: [.wicket],
                publishedAt: ServiceClock().wall,
                limit: 10
            )
            #expect(alerted.members.isEmpty)
        }
    }

    @Test("23: a channel that was created two days before its first activity is not renewed")
    func anUnusedChannelDoesNotAge() async throws {
        try await PushSetup.withAudience { setup, node in
            let start = setup.screen(101, .pushToStart)
            let channel = try await node.push.dispatcher.channels.ensure(kind())
            try await setup.pool.execute(Statement("update channel set created_at = now() - interval '2 days'"))
            try await node.phone(1, abilities: [.activities, .frequentPushes, .alerts, .channels], startToken: 101)
            try await node.report()
            try await eventually("it was started") { start.all.count == 1 }
            for late in 2...4 {
                let screen = setup.screen(100 + late, .pushToStart)
                try await node.phone(late, startToken: 100 + late)
                try await eventually("the followers were read again") { screen.all.count == 1 }
            }
            let channels = try await node.follow.channels.channels(of: Samples.match)
            #expect(channels.map(\.channel) == [channel] && channels.allSatisfy(\.isCurrent))
        }
    }
}
