import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct ChannelTests {
    private func record(_ name: String, at: Instant, generation: Int32 = 1) throws -> ChannelRecord {
        ChannelRecord(
            match: .final,
            environment: .production,
            attributesType: "LiveActivityAttributes",
            profile: .loud,
            generation: generation,
            channel: try #require(ChannelID(name)),
            createdAt: at
        )
    }

    @Test func twoNodesThatCreateAChannelKeepOne() async throws {
        let store = try await Store()
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        let first = try await channels.save(record("b25l", at: store.time.now))
        let second = try await channels.save(record("dHdv", at: store.time.now))
        #expect(first.channel.text == "b25l" && second == first)
        #expect(try await channels.save(record("dHdv", at: store.time.now, generation: 2)).channel.text == "dHdv")
        try await channels.recordBroadcast(first.channel, in: .production, revision: 9, at: store.time.now)
        try await channels.recordBroadcast(first.channel, in: .production, revision: 7, at: Store.start)
        try await channels.retire(first.channel, in: .production, at: store.time.now)
        let all = try await channels.channels(of: .final)
        #expect(all.map(\.sentRevision) == [9, 0])
        try await channels.recordUnansweredAlert(first.channel, in: .production, revision: 11)
        try await channels.recordUnansweredAlert(first.channel, in: .production, revision: 10)
        let found = try #require(try await channels.find(first.channel, in: .production))
        #expect(found.unansweredAlertRevision == 11 && found.sentRevision == 9)
        #expect(all.map { $0.retiredAt != nil } == [true, false])
        #expect(try await channels.all(.sandbox).isEmpty)
        #expect(all.map(\.isCurrent) == [false, true])
        try await channels.supersede(try #require(ChannelID("dHdv")), in: .production, at: store.time.now)
        #expect(try await channels.channels(of: .final).allSatisfy { !$0.isCurrent })
        try await channels.forget(first.channel, in: .production)
        #expect(try await channels.all(.production).map(\.channel.text) == ["dHdv"])
    }

    @Test("A10, S44: nodes share the stored provider token, and one from the future is replaced")
    func allNodesShareOneProviderToken() async throws {
        let store = try await Store()
        let tokens = ProviderTokenRecords(pool: store.pool)
        let key = ProviderTokenScope(environment: .production, keyID: "K", teamID: "T", keyDigest: [1])
        let other = ProviderTokenScope(environment: .production, keyID: "K", teamID: "T", keyDigest: [2])
        let now = store.time.now
        let mine = StoredProviderToken(text: "mine", issuedAt: now)
        #expect(try await tokens.load(key) == nil)
        let span = now + .seconds(-1800)...now + .seconds(300)
        #expect(try await tokens.publish(mine, key, unlessIssuedWithin: span) == mine)
        let theirs = StoredProviderToken(text: "theirs", issuedAt: now + .seconds(1))
        #expect(try await tokens.publish(theirs, key, unlessIssuedWithin: span) == mine)
        let later = StoredProviderToken(text: "later", issuedAt: now + .seconds(2000))
        let afterwards = now + .seconds(200)...now + .seconds(2300)
        #expect(try await tokens.publish(later, key, unlessIssuedWithin: afterwards) == later)
        #expect(try await tokens.load(key) == later)
        #expect(try await tokens.load(other) == nil, "another key under the same id")
        // A node whose clock was two hours fast has stored it.
        #expect(
            try await tokens.publish(mine, key, unlessIssuedWithin: span) == mine,
            "a token from the future is replaced"
        )
        let time = try await tokens.time() - ServiceClock().wall
        #expect(time > .seconds(-60) && time < .seconds(60), "PostgreSQL runs on this machine")
        #expect(!"\(later)".contains("later"))
    }

    @Test func channelsOfOldMatchesAreListedForDeletion() async throws {
        let store = try await Store()
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        let made = try await channels.save(record("b25l", at: store.time.now))
        let seconds = store.time.now.seconds
        try await store.script(
            "insert into match (match_id, feed_id, epoch, phase, over_at) "
                + "values ('\(MatchID.final)', 'f', 'abcdefgh', 3, to_timestamp(\(seconds + 100)))"
        )
        func finished(after wait: Int64) async throws -> [ChannelID] {
            try await channels.finished(.production, before: store.time.now + .seconds(wait), limit: 10).map(\.channel)
        }
        #expect(try await finished(after: 50).isEmpty)
        #expect(try await finished(after: 101) == [made.channel])
        try await channels.recordBroadcast(
            made.channel,
            in: .production,
            revision: 1,
            at: store.time.now + .seconds(500)
        )
        #expect(try await finished(after: 101).isEmpty, "its end is still repeated")
        #expect(try await channels.finished(.sandbox, before: store.time.now + .seconds(900), limit: 10).isEmpty)
        try await channels.forget(made.channel, in: .production)
        #expect(try await channels.all(.production).count == 1, "only ends that were given up are forgotten")
        try await channels.retire(made.channel, in: .production, at: store.time.now)
        #expect(try await channels.all(.production).count == 1)
        try await channels.forget(made.channel, in: .production)
        #expect(try await channels.all(.production).isEmpty)
    }
}
