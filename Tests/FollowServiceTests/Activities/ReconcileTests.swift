import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

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
                clientSequence: seq
            )
        )
    }

    private func reported(
        _ match: String,
        active: Bool = true,
        fingerprint: String? = nil,
        shown: Int64? = nil
    ) -> ReportedActivity {
        ReportedActivity(
            activityID: ActivityID(unchecked: "A-\(match)"),
            match: MatchID(unchecked: match),
            state: active ? .active : .ended,
            tokenFingerprint: fingerprint,
            shownRevision: shown
        )
    }

    @Test("C21: the lists of a phone and of the server are reconciled")
    func phoneAndServerAreReconciled() async throws {
        let store = try await Store()
        let channel = ActivityRoute.channel(try #require(ChannelID("Y2g=")))
        for (seq, match) in ["agreed", "rotated", "ended", "rejected", "unfollowed", "gone", "inactive", "later"]
            .enumerated()
        {
            try await register(store, match, seq: Int64(seq + 1))
        }
        try await register(store, "channel", seq: 9, route: channel)
        let print = Statement("select left(encode(sha256(token), 'hex'), 12) from activity where match_id = $1")
        let fingerprint = try await store.pool.query(print, [.text("agreed")]) { try $0.text(0) }.first
        _ = try await store.activities.beginEnd(match: MatchID(unchecked: "ended"), device: one, reason: .silent)
        let index = ArenaIndex(info: store.info, pool: store.pool, clock: store.time.clock())
        try await index.write(
            RejectedToken(match: MatchID(unchecked: "rejected"), device: one, generation: 1, deadAt: nil)
        )
        _ = try await store.follows.remove(MatchID(unchecked: "unfollowed"), of: one, clientSequence: 10)
        let outcome = try await store.activities.reconcile(
            device: one,
            reported: [
                reported("agreed", fingerprint: fingerprint), reported("rotated", fingerprint: "000000000000"),
                reported("ended"), reported("rejected"), reported("unfollowed"), reported("never"),
                reported("inactive", active: false), reported("channel"),
            ],
            clientSequence: 8
        )
        #expect(outcome.unknownTokens.map(\.text) == ["A-rotated", "A-rejected", "A-never"])
        #expect(outcome.end.map(\.text) == ["A-ended", "A-unfollowed"])
        #expect(outcome.missing.sorted().map(\.text) == ["A-gone", "A-inactive"], "later calls are not compared")
        let reasons = try await store.pool.query(
            Statement("select match_id || ' ' || end_reason from activity where state = 3 order by 1")
        ) { try $0.text(0) }
        #expect(reasons == ["gone missing", "inactive ended", "rejected rejected"])
    }

    @Test func anActivityStartedAfterTheUnfollowStays() async throws {
        let store = try await Store()
        _ = try await store.follows.put(FollowSettings(match: MatchID(unchecked: "match")), of: one, clientSequence: 1)
        _ = try await store.follows.remove(MatchID(unchecked: "match"), of: one, clientSequence: 6)
        try await register(store, "match", seq: 8, route: .channel(try #require(ChannelID("Y2g="))))
        let outcome = try await store.activities.reconcile(
            device: one,
            reported: [reported("match")],
            clientSequence: 9
        )
        #expect(outcome.end.isEmpty && outcome.unknownTokens.isEmpty && outcome.missing.isEmpty)
        _ = try await store.follows.remove(MatchID(unchecked: "match"), of: one, clientSequence: 10)
        let after = try await store.activities.reconcile(device: one, reported: [reported("match")], clientSequence: 11)
        #expect(after.end.map(\.text) == ["A-match"])
        let unknown = try await store.activities.reconcile(
            device: device(2),
            reported: [reported("match")],
            clientSequence: 1
        )
        #expect(unknown.end.isEmpty, "another device's unfollow")
    }

    @Test func anActivityDismissedBeforeItsRegistrationIsNotStartedAgain() async throws {
        let store = try await Store()
        for match in ["never", "cleared", "later"] {
            _ = try await store.follows.put(
                FollowSettings(match: MatchID(unchecked: match)),
                of: one,
                clientSequence: 1
            )
        }
        _ = try await store.follows.remove(MatchID(unchecked: "later"), of: one, clientSequence: 5)
        _ = try await store.follows.put(FollowSettings(match: MatchID(unchecked: "later")), of: one, clientSequence: 6)
        try await register(store, "cleared", seq: 2)
        func dismissed(_ match: String, id: String) -> ReportedActivity {
            ReportedActivity(
                activityID: ActivityID(unchecked: id),
                match: MatchID(unchecked: match),
                state: .dismissed
            )
        }
        let reported = [
            dismissed("never", id: "A-never"), dismissed("cleared", id: "A-yesterday"),
            dismissed("later", id: "A-later"),
        ]
        _ = try await store.activities.reconcile(device: one, reported: reported, clientSequence: 3)
        let marked = try await store.follows.list(one).filter(\.isDismissed).map(\.match.text)
        #expect(marked == ["never"], "neither activities that the server ended before, nor those followed again since")
    }

    @Test func reconcileEndsTheReplacedActivityOfAMatch() async throws {
        let store = try await Store()
        try await register(store, "match", seq: 1)
        let match = MatchID(unchecked: "match")
        let old = ReportedActivity(activityID: ActivityID(unchecked: "A-old"), match: match)
        func end(_ reported: [ReportedActivity]) async throws -> [String] {
            let one = try await store.activities.reconcile(device: one, reported: reported, clientSequence: 1)
            return one.end.map(\.text)
        }
        #expect(try await end([old, reported("match")]) == ["A-old"])
        #expect(try await end([old]) == [], "the only one that a phone shows is registered, not ended")
        let late = try await store.activities.reconcile(device: one, reported: [old], clientSequence: 0)
        #expect(late == ReconcileOutcome(), "the stored one was registered after the list was made")
    }

    /// Beside each reported activity is its accepted revision: its own bucket's progress, or its own channel's.
    @Test("25: a shown revision is compared with the revision accepted for its activity, not for others")
    func aShownRevisionIsComparedWithItsAcceptedRevision() async throws {
        let store = try await Store()
        let start = store.time.now
        for (seq, match) in ["tokens", "silent", "unsent", "dumb", "gone"].enumerated() {
            try await register(store, match, seq: Int64(seq + 1))
        }
        let channel = ActivityRoute.channel(try #require(ChannelID("Y2g=")))
        try await register(store, "channel", seq: 6, route: channel)
        let (own, other) = (Bucket(of: one).number, (Bucket(of: one).number + 1) % Int16(Bucket.count))
        try await store.script(
            """
            insert into fanout (match_id, bucket, term, sent_rev, sent_at) values
                ('tokens', \(own), 1, 40, now()), ('tokens', \(other), 1, 90, now()),
                ('unsent', \(other), 1, 90, now()), ('channel', \(own), 1, 90, now()),
                ('dumb', \(own), 1, 40, now()), ('gone', \(own), 1, 40, now());
            insert into channel (match_id, env, attributes_type, profile, generation, channel_id, sent_rev) values
                ('channel', 0, 'A', 'loud', 1, 'Y2g=', 50), ('channel', 0, 'A', 'quiet', 1, 'b3RoZXI=', 70),
                ('channel', 1, 'A', 'loud', 1, 'Y2g=', 80)
            """
        )
        _ = try await store.activities.beginEnd(match: MatchID(unchecked: "gone"), device: one, reason: .silent)
        let outcome = try await store.activities.reconcile(
            device: one,
            reported: [
                reported("tokens", shown: 12), reported("unsent", shown: 3), reported("channel", shown: 50),
                reported("dumb"), reported("gone", shown: 1), reported("never", shown: 1),
                reported("silent", active: false, shown: 1),
            ],
            clientSequence: 9
        )
        let shown = outcome.shown.map { [$0.match.text, "\($0.shown)", "\($0.accepted)"] }
        #expect(shown == [["tokens", "12", "40"], ["unsent", "3", "0"], ["channel", "50", "50"]])
        #expect(outcome.shown.allSatisfy { $0.startedAt == start && $0.activityID.text == "A-\($0.match)" })
    }
}
