import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

/// Compares random histories of a few phones with the naive model, the tables and the arena.
///
/// Some calls of one phone run concurrently, as an app sends them: then only what their counts decide is compared.
@Suite struct HistoryTests {
    private static let stored = Statement(
        """
        select device_id, match_id, activity_id, gen, client_seq, state, end_reason, token_at, octet_length(token),
               channel_id is not null, case state when 3 then -1 else wish end
        from activity where device_id <> $1
        """
    )

    private static let followed = Statement(
        "select device_id, match_id, client_seq, wants = 1, dismissed, since_seq from follow"
    )

    @Test(arguments: 1...6) func aRandomHistoryMatchesTheModel(run: Int) async throws {
        let store = try await Store()
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        for match in History.matches { try await running.index.open(match) }
        let generator = SplitMix64.printed("history \(run)")
        var history = History(store: store, index: running.index, generator: generator)
        try await history.begin()
        for number in 1...250 { try await history.step(number) }
        try await history.erase(device(4), after: 250)

        try await compare(history.model, with: store, without: device(4))
        for match in History.matches {
            let tokens = history.model.tokens(of: match)
            try await eventually("the arena of \(match) equals the model") {
                running.contents(of: match) == tokens
            }
        }
        await running.stop()
    }

    /// Compares both tables with the model.
    private func compare(_ model: NaiveActivities, with store: Store, without erased: DeviceID) async throws {
        let rows = try await store.pool.query(Self.stored, [.uuid(erased)]) { row in
            [
                try row.uuid(0).description, try row.text(1), try row.text(2), "\(try row.int(3))", "\(try row.int(4))",
                "\(try row.int(5))", try row.textIfPresent(6) ?? "-", "\(try row.timestamp(7))", "\(try row.int(8))",
                "\(try row.bool(9))", "\(try row.int(10))",
            ]
        }
        let expected = model.rows.map { key, row in
            let isToken = if case .token = row.route { true } else { false }
            return [
                key.device.description, key.match.text, row.activityID.text, "\(row.generation)",
                "\(row.clientSequence)",
                "\(row.state)", row.reason?.rawValue ?? "-", "\(row.tokenAt)", isToken && row.state != 3 ? "80" : "0",
                "\(!isToken)", row.state == 3 ? "-1" : "\(model.wish(key).rawValue)",
            ]
        }
        #expect(Set(rows) == Set(expected))
        let follows = try await store.pool.query(Self.followed) { row in
            [
                try row.uuid(0).description, try row.text(1), "\(try row.int(2))", "\(try row.bool(3))",
                "\(try row.bool(4))", "\(try row.int(5))",
            ]
        }
        #expect(
            Set(follows)
                == Set(
                    model.follows.map { key, row in
                        [
                            key.device.description, key.match.text, "\(row.clientSequence)", "\(row.isWanted)",
                            "\(row.isDismissed)", "\(row.sinceSeq)",
                        ]
                    }
                )
        )
    }
}
