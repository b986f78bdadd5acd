import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

/// The channels that devices need are requested once, and listed when their match is near.
@Suite struct ChannelRequestTests {
    private func kind(_ match: String, _ profile: ChannelProfile = .loud) -> ChannelKind {
        ChannelKind(
            match: MatchID(unchecked: match),
            environment: .sandbox,
            attributesType: "T",
            profile: profile
        )
    }

    private func match(_ store: Store, _ name: String, hours: Int64?, phase: Int = 0) async throws {
        let start = hours.map { "to_timestamp(\(store.time.now.seconds + $0 * 3600))" } ?? "null"
        try await store.script(
            """
            insert into match (match_id, feed_id, epoch, phase, starts_at, over_at)
            values ('\(name)', 'f', 'abcdefgh', \(phase), \(start), case when \(phase) = 3 then now() end)
            """
        )
    }

    private func save(_ channels: ChannelRecords, _ kind: ChannelKind, _ name: String, at: Instant) async throws {
        _ = try await channels.save(
            ChannelRecord(
                match: kind.match,
                environment: kind.environment,
                attributesType: kind.attributesType,
                profile: kind.profile,
                generation: 1,
                channel: try #require(ChannelID(name)),
                storage: .newest,
                createdAt: at
            )
        )
    }

    private func due(_ channels: ChannelRecords, limit: Int = 10) async throws -> [String] {
        try await channels.due(.sandbox, ahead: .seconds(48 * 3600), late: .seconds(36 * 3600), limit: limit)
            .map { "\($0.kind.match) \($0.kind.profile.rawValue)" }
    }

    @Test func aMissingChannelIsRequestedOnce() async throws {
        let store = try await Store()
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        try await match(store, "m", hours: 1)
        try await match(store, "over", hours: -5, phase: 3)
        let kinds: Set = [kind("m"), kind("m", .quiet), kind("over")]
        for _ in 0..<2 { #expect(try await channels.currentOrRequested(kinds).isEmpty) }
        let rows = Statement("select count(*) from channel_request")
        #expect(try await store.number(rows) == 2, "none for a match that is over")
        try await save(channels, kind("m"), "bG91ZA==", at: store.time.now)
        #expect(try await channels.currentOrRequested(kinds).mapValues(\.text) == [kind("m"): "bG91ZA=="])
        #expect(try await due(channels) == ["m quiet"])
        let loud = try #require(ChannelID("bG91ZA=="))
        #expect(try await channels.find(loud, in: .sandbox)?.storage == .newest)
        #expect(try await channels.find(loud, in: .production) == nil)
        try await channels.supersede(loud, in: .sandbox, at: store.time.now)
        #expect(try await channels.currentOrRequested([kind("m")]).isEmpty, "no activity starts on an old generation")
        try await store.script("update match set phase = 3, over_at = now()")
        try await channels.dropEndedRequests()
        #expect(try await store.number(rows) == 0)
    }

    @Test("a channel is due from 48 hours before the start; a match in play is first, then the nearest one")
    func theNearestMatchIsFirst() async throws {
        let store = try await Store()
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        let hours: [(String, Int64?, Int)] = [
            ("far", 49, 0), ("tomorrow", 30, 0), ("soon", 2, 0), ("late", -30, 0), ("lost", -40, 0), ("on", -1, 1),
            ("unlisted", nil, 0), ("over", -9, 3),
        ]
        for (name, hours, phase) in hours {
            try await match(store, name, hours: hours, phase: phase)
            try await store.script(
                "insert into channel_request select '\(name)', env, 'T', 'loud', now() from generate_series(0, 1) env"
            )
        }
        #expect(try await due(channels) == ["on loud", "late loud", "soon loud", "tomorrow loud"])
        #expect(try await due(channels, limit: 1) == ["on loud"])
        store.time.advance(by: .seconds(3601))
        #expect(try await due(channels).last == "far loud")
        try await store.script("update match set removed_at = now() where match_id = 'soon'")
        #expect(try await due(channels) == ["on loud", "late loud", "tomorrow loud", "far loud"])
    }

    @Test("an unused channel of the latest match is replaced first; one with an activity never")
    func unusedChannelsAreListedLatestFirst() async throws {
        let store = try await Store()
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        for (name, hours) in [("a", 10), ("b", 20), ("c", 30), ("used", 40)] as [(String, Int64)] {
            try await match(store, name, hours: hours)
            try await save(channels, kind(name), "bG91ZA\(name)", at: store.time.now)
        }
        _ = try await store.activities.register(
            ActivityRegistration(
                device: device(1),
                match: MatchID(unchecked: "used"),
                activityID: ActivityID(unchecked: "A-1"),
                environment: .sandbox,
                route: .channel(try #require(ChannelID("bG91ZAused"))),
                startedAt: store.time.now,
                clientSequence: 1
            )
        )
        let unused = try await channels.unused(.sandbox, startingAfter: store.time.now + .seconds(15 * 3600), limit: 9)
        #expect(unused.map(\.channel.match.text) == ["c", "b"])
        #expect(try await channels.count(.sandbox) == 4)
    }

    @Test func theTimeOfTheFirstActivityStays() async throws {
        let store = try await Store()
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        try await save(channels, kind("m"), "bG91ZA==", at: store.time.now)
        let loud = try #require(ChannelID("bG91ZA=="))
        let starts = StartCandidates(pool: store.pool, clock: store.time.clock())
        func open() async throws -> Instant? {
            let start = ChannelStart(
                match: MatchID(unchecked: "m"),
                device: device(1),
                environment: .sandbox,
                channel: loud
            )
            try await starts.confirm([start])
            return try await channels.find(loud, in: .sandbox)?.openedAt
        }
        let first = store.time.now
        #expect(try await channels.find(loud, in: .sandbox)?.openedAt == nil)
        #expect(try await open() == first)
        store.time.advance(by: .seconds(60))
        #expect(try await open() == first)
    }
}
