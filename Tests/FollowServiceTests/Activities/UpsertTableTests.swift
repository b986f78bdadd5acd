import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

/// The effect of each call on an activity's row, one test a row; clock and rows start the same in each.
@Suite struct UpsertTableTests {
    /// A database with one activity of generation 1, registered with the client count 10 at second 10.
    private struct Table {
        let store: Store
        let one = device(1)

        init() async throws {
            store = try await Store()
            #expect(try await register(10) == .registered(generation: 1))
        }

        /// Each call is ten seconds after the one before.
        func register(_ seq: Int64, token number: UInt64 = 1, activity: String = "A-1") async throws -> ActivityOutcome
        {
            store.time.advance(by: .seconds(10))
            return try await store.activities.register(
                ActivityRegistration(
                    device: one,
                    match: .final,
                    activityID: ActivityID(unchecked: activity),
                    environment: .production,
                    route: .token(token(number)),
                    startedAt: store.time.now,
                    clientSequence: seq
                )
            )
        }

        /// APNs' report that a token was dead so many seconds before now.
        func reject(generation: Int32, secondsAgo: Int64) async throws {
            let index = ArenaIndex(info: store.info, pool: store.pool, clock: store.time.clock())
            let deadAt = store.time.now + .seconds(-secondsAgo)
            try await index.write(
                RejectedToken(match: .final, device: one, generation: generation, deadAt: deadAt)
            )
        }

        /// Generation, state, activity, reason, seconds of start and of registration, bytes of the token; and the notes
        /// of change so far.
        var row: String {
            get async throws {
                let statement = Statement(
                    """
                    select gen || ' ' || state || ' ' || activity_id || ' ' || coalesce(end_reason, '-') || ' '
                           || (extract(epoch from started_at - $1) :: int) || ' '
                           || (extract(epoch from token_at - $1) :: int) || ' ' || octet_length(token) || ' '
                           || (select count(*) from change)
                    from activity
                    """
                )
                let rows = try await store.pool.query(statement, [.timestamp(Store.start)]) { try $0.text(0) }
                return rows.joined(separator: ", ")
            }
        }
    }

    @Test("first registration: generation 1") func first() async throws {
        #expect(try await Table().row == "1 1 A-1 - 10 10 80 1")
    }

    @Test("the repeated call, same client count: no write") func again() async throws {
        let table = try await Table()
        #expect(try await table.register(10) == .unchanged(generation: 1))
        #expect(try await table.row == "1 1 A-1 - 10 10 80 1")
    }

    @Test("C22: a rotated token, newer count: generation 2, unchanged start") func rotated() async throws {
        let table = try await Table()
        #expect(try await table.register(11, token: 2) == .registered(generation: 2))
        #expect(try await table.row == "2 1 A-1 - 10 20 80 2")
    }

    @Test("C22: a late call, lower count: ignored") func late() async throws {
        let table = try await Table()
        guard case .outdated(let stored) = try await table.register(9, token: 3) else {
            Issue.record("a late call was accepted")
            return
        }
        #expect(stored.generation == 1 && stored.clientSequence == 10)
        #expect(try await table.row == "1 1 A-1 - 10 10 80 1")
    }

    @Test("a new activity: the next generation, a new start, and the id of the one that it replaces once")
    func newActivity() async throws {
        let table = try await Table()
        let first = ActivityID(unchecked: "A-1")
        #expect(try await table.register(11, token: 2, activity: "A-2") == .replaced(first, generation: 2))
        #expect(try await table.register(11, token: 2, activity: "A-2") == .unchanged(generation: 2))
        #expect(try await table.row == "2 1 A-2 - 20 20 80 2")
    }

    @Test("A11: the same token again, newer count: the next generation, a new time") func sameToken() async throws {
        let table = try await Table()
        #expect(try await table.register(11) == .registered(generation: 2))
        #expect(try await table.row == "2 1 A-1 - 10 20 80 2")
        try await table.reject(generation: 2, secondsAgo: 5)
        #expect(
            try await table.row == "2 1 A-1 - 10 20 80 2",
            "a death before that does not apply to this registration"
        )
    }

    @Test("A11: 410 with an old time: no row", arguments: [1, 3600] as [Int64])
    func oldTime(seconds: Int64) async throws {
        let table = try await Table()
        try await table.reject(generation: 1, secondsAgo: seconds)
        #expect(try await table.row == "1 1 A-1 - 10 10 80 1")
    }

    @Test("A11: 410 with an old generation: no row") func oldGeneration() async throws {
        let table = try await Table()
        #expect(try await table.register(11, token: 2) == .registered(generation: 2))
        try await table.reject(generation: 1, secondsAgo: -5)
        #expect(try await table.row == "2 1 A-1 - 10 20 80 2")
    }

    @Test("A11: 410 that applies: ended, the token emptied, with the reason") func valid() async throws {
        let table = try await Table()
        try await table.reject(generation: 1, secondsAgo: 0)
        #expect(try await table.row == "1 3 A-1 rejected 10 10 0 2")
    }

    @Test("a registration afterwards: the next generation, active") func afterwards() async throws {
        let table = try await Table()
        try await table.reject(generation: 1, secondsAgo: 0)
        #expect(try await table.register(10) == .ended(.rejected), "a retry does not revive it")
        #expect(try await table.register(11, token: 5) == .registered(generation: 2))
        #expect(try await table.row == "2 1 A-1 - 10 30 80 3")
    }
}
