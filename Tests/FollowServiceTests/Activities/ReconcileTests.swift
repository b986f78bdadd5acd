import FollowService
import Postgres
import ScoreTypes
import Testing

@Suite struct ReconcileTests {
    private let one = device(1)

    private func register(_ store: Store, _ match: String, seq: Int64, route: ActivityRoute? = nil) async throws {
        _ = try await store.activities.register(
            ActivityRegistration(
                device: one,
                match: MatchID(unchecked: match),
                activityID: ActivityID(unchecked: "A-\(match)"),
                environment: .sandbox,
                route: route ?? .token(token(UInt64(seq))),
                startedAt: store.time.now,
                clientSeq: seq
            )
        )
    }

    private func reported(_ match: String, active: Bool = true, fingerprint: String? = nil) -> ReportedActivity {
        ReportedActivity(
            activityID: ActivityID(unchecked: "A-\(match)"),
            match: MatchID(unchecked: match),
            isActive: active,
            tokenFingerprint: fingerprint
        )
    }

    @Test func bothListsBecomeOne() async throws {
        let store = try await Store()
        let channel = ActivityRoute.channel(try #require(ChannelID("Y2g=")))
        for (seq, match) in ["agreed", "rotated", "ended", "rejected", "unfollowed", "gone", "told", "later"]
            .enumerated()
        {
            try await register(store, match, seq: Int64(seq + 1))
        }
        try await register(store, "channel", seq: 9, route: channel)
        let print = Statement("select left(encode(sha256(token), 'hex'), 12) from activity where match_id = $1")
        let fingerprint = try await store.pool.query(print, [.text("agreed")]) { try $0.text(0) }.first
        _ = try await store.activities.beginEnd(match: MatchID(unchecked: "ended"), device: one, reason: .silent)
        let index = ArenaIndex(info: store.info, pool: store.pool, clock: store.time.clock) { _ in }
        await index.evict([
            Eviction(match: MatchID(unchecked: "rejected"), device: one, generation: 1, deadAt: nil)
        ])
        _ = try await store.follows.remove(MatchID(unchecked: "unfollowed"), of: one, clientSeq: 10)
        let outcome = try await store.activities.reconcile(
            device: one,
            reported: [
                reported("agreed", fingerprint: fingerprint), reported("rotated", fingerprint: "000000000000"),
                reported("ended"), reported("rejected"), reported("unfollowed"), reported("never"),
                reported("told", active: false), reported("channel"),
            ],
            clientSeq: 8
        )
        #expect(outcome.agreed.map(\.match.text) == ["agreed", "channel"])
        #expect(outcome.unknownTokens.map(\.text) == ["A-rotated", "A-rejected", "A-never"])
        #expect(outcome.end.map(\.text) == ["A-ended", "A-unfollowed"])
        #expect(outcome.missing.sorted().map(\.text) == ["A-gone", "A-told"], "what came later is not compared")
        let reasons = try await store.pool.query(
            Statement("select match_id || ' ' || end_reason from activity where state = 3 order by 1")
        ) { try $0.text(0) }
        #expect(reasons == ["gone missing", "rejected rejected", "told ended"])
    }
}
