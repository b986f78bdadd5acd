// Records of channels compared with Apple's list: nothing leaks, and no channel in use is deleted.

import FollowService
import MatchJournal
import MatchSamples
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import Testing

@testable import LiveActivities

@Suite(.timeLimit(.minutes(2))) struct ChannelMaintenanceTests {
    private func make(_ node: PushNode, _ match: MatchID = Samples.match) async throws -> ChannelID {
        try await node.push.dispatcher.channels.ensure(
            ChannelKind(
                match: match,
                environment: .sandbox,
                attributesType: APNsTestAccount.attributesType,
                profile: .loud
            )
        )
    }

    private func listed(_ node: PushNode) async throws -> Set<ChannelID> {
        Set(try await node.push.dispatcher.channels.list(.sandbox))
    }

    /// A channel whose node seems to have died before it recorded the channel.
    private func lose(_ channel: ChannelID, on setup: PushSetup) async throws {
        try await setup.pool.execute(Statement("delete from channel where channel_id = $1"), [.text(channel.text)])
    }

    @Test("22: an unrecorded channel is deleted when it is found twice, and one in use never")
    func anUnrecordedChannelIsDeletedWhenFoundTwice() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a", deletesUnknownChannels: true)
        let (used, lost) = (try await make(node), try await make(node, MatchID(unchecked: "gone")))
        try await lose(lost, on: setup)
        await node.push.channels.round()
        #expect(try await listed(node) == [used, lost], "its record may follow")
        // The second one is lost between the two rounds: it is deleted after another round.
        let later = try await make(node, MatchID(unchecked: "later"))
        try await lose(later, on: setup)
        await node.push.channels.round()
        #expect(try await listed(node) == [used, later])
        await node.push.channels.round()
        #expect(try await listed(node) == [used])
        await setup.stop(node)
    }

    @Test("22: an unrecorded channel is kept unless the operator states that no other system serves the app")
    func unknownChannelsAreDeletedOnlyWithPermission() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a")
        let lost = try await make(node)
        try await lose(lost, on: setup)
        for _ in 0..<3 { await node.push.channels.round() }
        #expect(try await listed(node) == [lost])
        await setup.stop(node)
    }

    @Test("22: a channel that Apple lost is given up and replaced, but not one that was just created")
    func aLostChannelIsReplaced() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a", deletesUnknownChannels: true)
        let record = ChannelRecord(
            match: Samples.match,
            environment: .sandbox,
            attributesType: APNsTestAccount.attributesType,
            profile: .loud,
            generation: 1,
            channel: try #require(ChannelID("bG9zdA==")),
            createdAt: ServiceClock().wall
        )
        _ = try await node.follow.channels.save(record)
        func retired() async throws -> Int64 {
            try await setup.number(Statement("select count(*) from channel where retired_at is not null"))
        }
        await node.push.channels.round()
        #expect(try await retired() == 0, "another node may have created it after Apple's list was read")
        try await setup.pool.execute(Statement("update channel set created_at = now() - interval '301 seconds'"))
        await node.push.channels.round()
        #expect(try await retired() == 0, "a list may be incomplete")
        await node.push.channels.round()
        #expect(try await retired() == 1)
        let fresh = try await make(node)
        let all = try await node.follow.channels.all(.sandbox)
        #expect(all.contains { $0.channel == fresh && $0.generation == 2 && $0.retiredAt == nil })
        await node.push.channels.round()
        #expect(try await node.follow.channels.all(.sandbox).map(\.channel) == [fresh], "the old record is dropped")
        // It is missing in the list at times, never twice in a row.
        let renamed = Statement("update channel set channel_id = $1, created_at = now() - interval '301 seconds'")
        for name in ["Z29uZQ==", fresh.text, "Z29uZQ==", fresh.text] {
            try await setup.pool.execute(renamed, [.text(name)])
            await node.push.channels.round()
        }
        #expect(try await retired() == 0)
        #expect(try await listed(node) == [fresh])
        await setup.stop(node)
    }

    @Test("22: when most of the channels are missing from Apple's list, the list is rejected and none is given up")
    func anIncompleteListIsRejected() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a")
        let limit = LiveActivityLimits.channelsMissingFew
        for number in 0..<2 * limit + 2 {
            let record = ChannelRecord(
                match: MatchID(unchecked: "m\(number)"),
                environment: .sandbox,
                attributesType: APNsTestAccount.attributesType,
                profile: .loud,
                generation: 1,
                channel: try #require(ChannelID("bG9zd\(number + 10)")),
                createdAt: ServiceClock().wall
            )
            _ = try await node.follow.channels.save(record)
        }
        // None of them is in Apple's list.
        try await setup.pool.execute(Statement("update channel set created_at = now() - interval '301 seconds'"))
        let retired = Statement("select count(*) from channel where retired_at is not null")
        for _ in 0..<3 { await node.push.channels.round() }
        #expect(try await setup.number(retired) == 0)
        // A handful may be lost.
        try await setup.pool.execute(
            Statement("delete from channel where match_id not in (select 'm' || n from generate_series(0, $1) n)"),
            [.int(Int64(limit - 1))]
        )
        await node.push.channels.round()
        #expect(try await setup.number(retired) == Int64(limit))
        await setup.stop(node)
    }

    @Test("22: channels are deleted eight hours after their match, not before, and not during it")
    func channelsOfFinishedMatchesAreDeleted() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a")
        let ages: [(match: String, phase: Int64, hours: Int64)] = [("on", 1, 20), ("fresh", 3, 7), ("old", 3, 9)]
        var made: [String: ChannelID] = [:]
        for (match, phase, hours) in ages {
            try await setup.pool.execute(
                Statement(
                    """
                    insert into match (match_id, feed_id, epoch, phase, over_at)
                    values ($1, 'f', 'e', $2, case when $2 = 3 then now() - $3 * interval '1 hour' end)
                    """
                ),
                [.text(match), .int(phase), .int(hours)]
            )
            made[match] = try await make(node, MatchID(unchecked: match))
        }
        try await setup.pool.execute(
            Statement("update channel set created_at = now() - interval '1 day', sent_at = now() - interval '9 hours'")
        )
        await node.push.channels.round()
        #expect(try await listed(node) == Set([made["on"], made["fresh"]].compactMap(\.self)))
        #expect(try await node.follow.channels.all(.sandbox).map(\.match.text).sorted() == ["fresh", "on"])
        await setup.stop(node)
    }

    @Test("22: one node maintains the channels; the other one does nothing until that one fails")
    func oneNodeMaintainsTheChannels() async throws {
        let setup = try await PushSetup()
        let first = try await setup.node("a", deletesUnknownChannels: true)
        let second = try await setup.node("b", deletesUnknownChannels: true)
        await first.push.channels.round()
        let lost = try await make(second)
        try await lose(lost, on: setup)
        for _ in 0..<3 { await second.push.channels.round() }
        #expect(try await listed(second) == [lost])
        await first.stop()
        for _ in 0..<2 { await second.push.channels.round() }
        #expect(try await listed(second).isEmpty)
        await setup.stop(second)
    }
}
