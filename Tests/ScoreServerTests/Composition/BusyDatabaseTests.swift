// A slow database delays calls of phones, and never the node's own work.

import MatchJournal
import Postgres
import Providers
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct BusyDatabaseTests {
    private static let follows = "/v1/devices/me/follows"

    /// Statements of phones that wait for a lock.
    private static let stuck = Statement(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name = 'api' and wait_event_type = 'Lock'
        """
    )

    /// The age of the oldest of them in milliseconds, by the server's clock; -1 when none waits.
    private static let stuckFor = Statement(
        """
        select coalesce(max(extract(epoch from clock_timestamp() - query_start) * 1000)::bigint, -1)
        from pg_stat_activity
        where datname = current_database() and application_name = 'api' and wait_event_type = 'Lock'
        """
    )

    /// The connections reserved for phones.
    private static let connections = Int64(ServerLimits.apiConnections)

    /// Statements of the journal that wait for a lock.
    private static let heldUp = Statement(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name = 'journal' and wait_event_type = 'Lock'
        """
    )

    private static func locked(_ setup: NodeSetup, _ statement: StaticString) async throws -> Connection {
        let locker = try await Connection.open(setup.info, name: "locker")
        try await locker.script("set idle_in_transaction_session_timeout = 0; begin")
        try await locker.script(statement)
        return locker
    }

    @Test("P7: phones that use all their connections get a 503, and the node continues its own work")
    func slowPhoneCallsDoNotBlockTheNode() async throws {
        let setup = try await NodeSetup()
        try await setup.withWholeNode(["LIMITS_READ": "100000/1s", "LIMITS_READ_ADDRESS": "100000/1s"]) { whole in
            let phone = try await whole.register()
            let pass = try await PostgresAdminStore(pool: setup.pool).headers(.operator)
            let locker = try await Self.locked(setup, "lock table follow in access exclusive mode")
            let crowdIsDone = Flag()
            try await withThrowingTaskGroup(of: Void.self) { crowd in
                for _ in 0..<32 {
                    crowd.addTask {
                        while !crowdIsDone.isUp {
                            let answer = try await whole.publicClient.get(Self.follows, phone)
                            #expect(answer.status == 503 && answer["Retry-After"] != nil)
                            // Waiting for the lock, without a connection, or both for as long as a phone waits.
                            let cause = answer.json["cause"]?.string
                            #expect(cause == "db" || cause == "overload" || cause == "deadline")
                        }
                    }
                }
                func whenExhausted(_ work: () async throws -> Void) async throws {
                    try await eventually("phones hold every connection") {
                        try await setup.number(Self.stuck) == Self.connections
                    }
                    try await work()
                }
                try await whenExhausted {
                    let ready = try await whole.internalClient.get("/readyz")
                    #expect(ready.status == 200, "the database is available: \(ready.text)")
                }
                try await whenExhausted {
                    let audit = try await whole.internalClient.get("/admin/api/v1/audit", pass)
                    #expect(audit.status == 200, "operators read the audit log: \(audit.text)")
                }
                try await whenExhausted {
                    let aliases = try await whole.internalClient.get("/admin/api/v1/aliases", pass)
                    #expect(aliases.status == 200, "operators store aliases: \(aliases.text)")
                }
                crowdIsDone.raise()
                try await crowd.waitForAll()
            }
            try await locker.script("rollback")
            #expect(try await whole.publicClient.get(Self.follows, phone).status == 200)
        }
        await setup.stop()
    }

    @Test("P7: phones that read old matches from the journal take no connection that a ball needs")
    func readersDoNotDelayABall() async throws {
        let setup = try await NodeSetup()
        try await RecentMatchesTests.end("last-month", days: 30, on: setup)
        try await setup.withWholeNode(["LIMITS_READ": "100000/1s", "LIMITS_READ_ADDRESS": "100000/1s"]) { whole in
            let locker = try await Self.locked(setup, "lock table publication in access exclusive mode")
            let crowdIsDone = Flag()
            try await withThrowingTaskGroup(of: Void.self) { crowd in
                for _ in 0..<12 {
                    crowd.addTask {
                        repeat {
                            let answer = try await whole.publicClient.get("/v1/matches/last-month")
                            #expect(answer.status == 503 && answer["Retry-After"] != nil)
                        } while !crowdIsDone.isUp
                    }
                }
                try await eventually("phones hold every connection") {
                    try await setup.number(Self.stuck) == Self.connections
                }
                // The node's own round over all matches may wait for the table too, with one connection.
                #expect(try await setup.number(Self.heldUp) < Int64(ServerLimits.journalConnections))
                crowdIsDone.raise()
                try await crowd.waitForAll()
            }
            try await locker.script("rollback")
            #expect(try await whole.publicClient.get("/v1/matches/last-month").status == 200)
        }
        await setup.stop()
    }

    @Test("P5: a stuck write is ended in time, changes nothing, and is applied once when it is repeated")
    func stuckWrite() async throws {
        let setup = try await NodeSetup()
        try await setup.withWholeNode { whole in
            let phone = try await whole.register()
            // Registered first, so that the follow is the statement that waits.
            #expect(try await whole.publicClient.get("/v1/devices/me", phone).status == 200)
            let locker = try await Self.locked(setup, "lock table device in access exclusive mode")
            let path = "/v1/devices/me/push-tokens/alert"
            let hex = String(repeating: "ab", count: 32)
            let wish = #"{"token":"\#(hex)","apnsEnvironment":"sandbox","clientSeq":1}"#
            async let answer = whole.publicClient.send("PUT", path, phone, json: wish)
            try await eventually("it is stuck") { try await setup.number(Self.stuck) == 1 }
            var oldest: Int64 = 0
            try await eventually("the server has ended it") {
                let age = try await setup.number(Self.stuckFor)
                oldest = max(oldest, age)
                return age < 0
            }
            #expect(oldest < 4_500, "the limit of a statement is two seconds")
            let refused = try await answer
            #expect(refused.status == 503 && refused.json["cause"]?.string == "db" && refused["Retry-After"] != nil)
            try await locker.script("rollback")
            let generation = Statement("select alert_gen from device")
            #expect(try await setup.number(generation) == 0, "the refused write was not applied")
            let statuses = [
                try await whole.publicClient.send("PUT", path, phone, json: wish).status,
                try await whole.publicClient.send("PUT", path, phone, json: wish).status,
            ]
            #expect(statuses == [201, 200], "the repeated write is new once, and then known")
            #expect(try await setup.number(generation) == 1)
        }
        await setup.stop()
    }
}

/// A flag that ends tasks.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var isUp: Bool { state.withLock { $0 } }

    func raise() { state.withLock { $0 = true } }
}
