// What a database that does not answer in time costs a phone, and what it must not cost the node.

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

    /// For how many milliseconds the oldest of them has waited, by the server's own clock; -1 when none waits.
    private static let stuckFor = Statement(
        """
        select coalesce(max(extract(epoch from clock_timestamp() - query_start) * 1000)::bigint, -1)
        from pg_stat_activity
        where datname = current_database() and application_name = 'api' and wait_event_type = 'Lock'
        """
    )

    /// Connections that phones may have.
    private static let connections = Int64(ServerLimits.apiConnections)

    /// Statements of the journal that wait for a lock.
    private static let heldUp = Statement(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name = 'journal' and wait_event_type = 'Lock'
        """
    )

    private static func locked(_ stage: NodeStage, _ statement: StaticString) async throws -> Connection {
        let locker = try await Connection.open(stage.info, name: "locker")
        try await locker.script("set idle_in_transaction_session_timeout = 0; begin")
        try await locker.script(statement)
        return locker
    }

    @Test("P7: phones that hold all connections of theirs get a 503, and the node's own work goes on")
    func phonesDoNotStarveTheNode() async throws {
        let stage = try await NodeStage()
        try await stage.withWholeNode(["LIMITS_READ": "100000/1s"]) { whole in
            let phone = try await whole.register()
            let operation = try await PostgresAdminStore(pool: stage.pool)
                .makeToken(name: "operator", role: .operator, expiresAt: nil)
            let pass = ["Authorization": "Bearer \(operation.text)"]
            let locker = try await Self.locked(stage, "lock table follow in access exclusive mode")
            let crowdIsDone = Flag()
            try await withThrowingTaskGroup(of: Void.self) { crowd in
                for _ in 0..<32 {
                    crowd.addTask {
                        while !crowdIsDone.isUp {
                            let answer = try await whole.publicClient.get(Self.follows, phone)
                            #expect(answer.status == 503 && answer["Retry-After"] != nil)
                            // Stuck behind the lock, without a connection, or both for as long as a phone waits.
                            let cause = answer.json["cause"]?.string
                            #expect(cause == "db" || cause == "overload" || cause == "deadline")
                        }
                    }
                }
                func whenExhausted(_ work: () async throws -> Void) async throws {
                    try await eventually("phones hold every connection") {
                        try await stage.number(Self.stuck) == Self.connections
                    }
                    try await work()
                }
                try await whenExhausted {
                    let ready = try await whole.internalClient.get("/readyz")
                    #expect(ready.status == 200, "the database is not away: \(ready.text)")
                }
                try await whenExhausted {
                    let audit = try await whole.internalClient.get("/admin/api/v1/audit", pass)
                    #expect(audit.status == 200, "operators see what happens: \(audit.text)")
                }
                try await whenExhausted {
                    let aliases = try await whole.internalClient.get("/admin/api/v1/aliases", pass)
                    #expect(aliases.status == 200, "operators name matches: \(aliases.text)")
                }
                crowdIsDone.raise()
                try await crowd.waitForAll()
            }
            try await locker.script("rollback")
            #expect(try await whole.publicClient.get(Self.follows, phone).status == 200)
        }
        await stage.stop()
    }

    @Test("P7: phones that read old matches from the journal take no connection that a ball needs")
    func readersDoNotHoldUpABall() async throws {
        let stage = try await NodeStage()
        try await RecentMatchesTests.end("last-month", days: 30, on: stage)
        try await stage.withWholeNode(["LIMITS_READ": "100000/1s"]) { whole in
            let locker = try await Self.locked(stage, "lock table publication in access exclusive mode")
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
                    try await stage.number(Self.stuck) == Self.connections
                }
                // The node's own round over all matches may wait for the table too, with one connection.
                #expect(try await stage.number(Self.heldUp) < Int64(ServerLimits.journalConnections))
                crowdIsDone.raise()
                try await crowd.waitForAll()
            }
            try await locker.script("rollback")
            #expect(try await whole.publicClient.get("/v1/matches/last-month").status == 200)
        }
        await stage.stop()
    }

    @Test("P5: a write that is stuck is ended in time, leaves nothing behind, and is done once when it is made again")
    func stuckWrite() async throws {
        let stage = try await NodeStage()
        try await stage.withWholeNode { whole in
            let phone = try await whole.register()
            // Known from here on, so that the write is what waits.
            #expect(try await whole.publicClient.get("/v1/devices/me", phone).status == 200)
            let locker = try await Self.locked(stage, "lock table device in access exclusive mode")
            let path = "/v1/devices/me/push-tokens/alert"
            let hex = String(repeating: "ab", count: 32)
            let wish = #"{"token":"\#(hex)","apnsEnvironment":"sandbox","clientSeq":1}"#
            async let answer = whole.publicClient.send("PUT", path, phone, json: wish)
            try await eventually("it is stuck") { try await stage.number(Self.stuck) == 1 }
            var oldest: Int64 = 0
            try await eventually("the server has ended it") {
                let age = try await stage.number(Self.stuckFor)
                oldest = max(oldest, age)
                return age < 0
            }
            #expect(oldest < 4_500, "two seconds are promised to a statement")
            let refused = try await answer
            #expect(refused.status == 503 && refused.json["cause"]?.string == "db" && refused["Retry-After"] != nil)
            try await locker.script("rollback")
            let generation = Statement("select alert_gen from device")
            #expect(try await stage.number(generation) == 0, "what was refused did not happen")
            let statuses = [
                try await whole.publicClient.send("PUT", path, phone, json: wish).status,
                try await whole.publicClient.send("PUT", path, phone, json: wish).status,
            ]
            #expect(statuses == [201, 200], "made again it is new once, and then known")
            #expect(try await stage.number(generation) == 1)
        }
        await stage.stop()
    }
}

/// Tells tasks that they may end by themselves.
private final class Flag: Sendable {
    private let state = Mutex(false)

    var isUp: Bool { state.withLock { $0 } }

    func raise() { state.withLock { $0 = true } }
}
