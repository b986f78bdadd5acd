// A pool shares few connections among many callers, refuses in time, and replaces broken connections.
import Dispatch
import Postgres
import TestSupport
import Testing

struct PoolTests {
    private static let ownProcess = Statement("select pg_backend_pid()")
    private static let blockOnLock = Statement("select pg_advisory_lock(1)")

    @Test func manyCallersShareFewConnections() async throws {
        // The wait is not under test, and a machine that runs all suites at once may be slow to open connections.
        let bounds = Pool.Bounds(waitMax: .seconds(30))
        let pool = Pool(try await ScratchDatabase.make(), size: 3, name: "few", bounds: bounds)
        let processes = try await withThrowingTaskGroup(of: Int64.self) { group in
            for _ in 0..<60 { group.addTask { try await pool.query(Self.ownProcess) { try $0.int(0) }.first ?? 0 } }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect((1...3).contains(processes.count))
        #expect(pool.counts.waiting == 0)
        await pool.close()
        let closed = await #expect(throws: PostgresError.self) { try await pool.execute(Self.ownProcess) }
        #expect(closed?.message == "the pool is closed")
    }

    @Test func aFullPoolRefusesAtOnceAndServesItsWaiters() async throws {
        let info = try await ScratchDatabase.make()
        let holder = try await Connection.open(info, name: "holder")
        try await holder.execute(Self.blockOnLock)
        let bounds = Pool.Bounds(waitersMax: 1, waitMax: .seconds(60), statementTimeout: .seconds(60))
        let pool = Pool(info, size: 1, name: "full", bounds: bounds)
        let occupant = Task { try await pool.execute(Self.blockOnLock) }
        try await eventually("the only connection is lent") { pool.counts.open == 1 && pool.counts.idle == 0 }

        let cancelled = Task { try await pool.execute(Self.ownProcess) }
        try await eventually("one waits") { pool.counts.waiting == 1 }
        let refused = await #expect(throws: PostgresError.self) { try await pool.execute(Self.ownProcess) }
        #expect(refused?.kind == .poolFull && refused?.message == "1 callers already wait for a connection")
        cancelled.cancel()
        let error = await #expect(throws: PostgresError.self) { try await cancelled.value }
        #expect(error?.message.contains("cancelled") == true)

        let patient = Task { try await pool.execute(Self.ownProcess) }
        try await eventually("another waits") { pool.counts.waiting == 1 }
        try await holder.script("select pg_advisory_unlock(1)")
        #expect(try await occupant.value == 1)
        #expect(try await patient.value == 1)
    }

    @Test func aWaiterIsRefusedAfterItsLimit() async throws {
        let info = try await ScratchDatabase.make()
        let holder = try await Connection.open(info, name: "holder")
        try await holder.execute(Self.blockOnLock)
        let bounds = Pool.Bounds(waitMax: .milliseconds(50), statementTimeout: .seconds(60))
        let pool = Pool(info, size: 1, name: "full", bounds: bounds)
        let occupant = Task { try await pool.execute(Self.blockOnLock) }
        try await eventually("the only connection is lent") { pool.counts.open == 1 && pool.counts.idle == 0 }
        let late = await #expect(throws: PostgresError.self) { try await pool.execute(Self.ownProcess) }
        #expect(late?.kind == .poolFull && late?.message.contains("within") == true)
        try await holder.script("select pg_advisory_unlock(1)")
        #expect(try await occupant.value == 1)
    }

    @Test func aConnectionLostAtRestIsReplacedSilently() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 1, name: "resting")
        let before = try await pool.query(Self.ownProcess) { try $0.int(0) }
        let killer = try await Connection.open(info, name: "killer")
        try await killer.execute(Statement("select pg_terminate_backend($1::int)"), [.int(before[0])])
        try await eventually("the server ended the process") {
            try await killer.query(Statement("select 1 from pg_stat_activity where pid = $1::int"), [.int(before[0])]) {
                try $0.int(0)
            }.isEmpty
        }
        let after = try await pool.query(Self.ownProcess) { try $0.int(0) }
        #expect(after != before && after.count == 1)
        #expect(pool.counts.open == 1)
    }

    @Test func aConnectionLostDuringWorkThrowsAndIsReplaced() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 1, name: "working")
        let killer = try await Connection.open(info, name: "killer")
        try await killer.execute(Self.blockOnLock)
        let working = Task { try await pool.transaction { try $0.execute(Self.blockOnLock) } }
        try await eventually("the victim could be killed") {
            try await killer.query(
                Statement(
                    """
                    select pg_terminate_backend(pid) from pg_locks join pg_database on oid = database
                    where locktype = 'advisory' and not granted and datname = current_database()
                    """
                )
            ) { try $0.bool(0) } == [true]
        }
        let error = await #expect(throws: PostgresError.self) { _ = try await working.value }
        #expect(error?.kind == .connection && error?.sqlState == "57P01")
        #expect(try await pool.query(Self.ownProcess) { try $0.int(0) }.count == 1)
    }

    @Test func aSlowStatementIsEndedAndItsConnectionReused() async throws {
        let pool = Pool(
            try await ScratchDatabase.make(),
            size: 1,
            name: "slow",
            bounds: .init(statementTimeout: .seconds(2))
        )
        let before = try await pool.query(Self.ownProcess) { try $0.int(0) }
        let error = await #expect(throws: PostgresError.self) {
            try await pool.execute(Statement("select pg_sleep(60)"))
        }
        #expect(error?.kind == .timeout && error?.sqlState == "57014")
        #expect(try await pool.query(Self.ownProcess) { try $0.int(0) } == before)
    }

    @Test func anIdleTransactionReleasesItsLocks() async throws {
        let info = try await ScratchDatabase.make()
        let bounds = Pool.Bounds(idleTimeout: .seconds(2))
        let pool = Pool(info, size: 1, name: "stopped", bounds: bounds)
        let other = try await Connection.open(info, name: "other", statementTimeout: .seconds(60))
        let sent = DispatchSemaphore(value: 0)
        let stopped = Task {
            try await pool.transaction { connection in
                try connection.execute(Statement("select pg_advisory_xact_lock(1)"))
                // Without an await in between, as a process that is stopped.
                sent.wait()
                try connection.execute(Statement("select 1"))
            }
        }
        let locks = Statement(
            """
            select count(*) from pg_locks join pg_database on oid = database
            where locktype = 'advisory' and granted and datname = current_database()
            """
        )
        try await eventually("it has its lock") { try await other.query(locks) { try $0.int(0) } == [1] }
        try await other.execute(Self.blockOnLock)
        sent.signal()
        let error = await #expect(throws: PostgresError.self) { try await stopped.value }
        #expect(error?.kind == .timeout && error?.sqlState == "25P03")
        #expect(try await pool.query(Self.ownProcess) { try $0.int(0) }.count == 1, "on another connection")
        await other.close()
    }

    @Test("P5: a cancelled caller ends its statement: its connection is closed, its work undone, its place free")
    func aCancelledCallerEndsItsStatement() async throws {
        let info = try await ScratchDatabase.make()
        let holder = try await Connection.open(info, name: "holder")
        try await holder.script("create table t (n integer); select pg_advisory_lock(1)")
        let bounds = Pool.Bounds(statementTimeout: .seconds(60), endsWithCaller: true)
        let pool = Pool(info, size: 1, name: "left", bounds: bounds)
        let leaving = Task {
            try await pool.transaction {
                try $0.execute(Statement("insert into t values (1)"))
                try $0.execute(Self.blockOnLock)
            }
        }
        let working = Statement(
            "select count(*) from pg_stat_activity where datname = current_database() and application_name = 'left'"
        )
        let blocked = Statement(
            """
            select count(*) from pg_locks join pg_database on oid = database
            where locktype = 'advisory' and not granted and datname = current_database()
            """
        )
        try await eventually("it waits for the lock") { try await holder.query(blocked) { try $0.int(0) } == [1] }
        let start = ContinuousClock.now
        leaving.cancel()
        let error = await #expect(throws: PostgresError.self) { try await leaving.value }
        #expect(error?.kind == .timeout && error?.message.contains("cancelled") == true)
        #expect(ContinuousClock.now - start < .seconds(30), "long before the statement's own end")
        #expect(pool.counts.open == 0, "its unfinished connection is not reused")
        try await eventually("the server ends the abandoned statement", within: .seconds(30)) {
            try await holder.query(working) { try $0.int(0) } == [0]
        }
        #expect(try await pool.query(Statement("select count(*) from t")) { try $0.int(0) } == [0])

        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await pool.execute(Self.ownProcess)
        }
        let refused = await #expect(throws: PostgresError.self) { try await late.value }
        #expect(refused?.message.contains("cancelled") == true, "a cancelled caller begins nothing")
        #expect(pool.counts.open == 1 && pool.counts.idle == 1)
        await pool.close()
    }

    @Test func aCancelledTransactionRunsToItsEnd() async throws {
        let info = try await ScratchDatabase.make()
        let holder = try await Connection.open(info, name: "holder")
        try await holder.script("create table t (n integer); select pg_advisory_lock(1)")
        let pool = Pool(info, size: 1, name: "duty", bounds: .init(statementTimeout: .seconds(60)))
        let writing = Task {
            try await pool.transaction { connection in
                try connection.execute(Self.blockOnLock)
                return try connection.execute(Statement("insert into t values (1)"))
            }
        }
        try await eventually("the only connection is lent") { pool.counts.open == 1 && pool.counts.idle == 0 }
        writing.cancel()
        try await holder.script("select pg_advisory_unlock(1)")
        #expect(try await writing.value == 1)
        #expect(try await pool.query(Statement("select count(*) from t")) { try $0.int(0) } == [1])
    }

    @Test func aTransactionLeftOpenIsRolledBackBeforeTheNextBorrower() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 1, name: "careless")
        try await pool.withConnection { try $0.script("begin; create table t (n integer)") }
        #expect(try await pool.query(Statement("select to_regclass('t') is null")) { try $0.bool(0) } == [true])
    }

    @Test("P11: transactions that deadlock are repeated until both are done") func deadlockedTransactionsAreRepeated()
        async throws
    {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 2, name: "deadlock")
        try await pool.withConnection {
            try $0.script("create table t (id integer primary key, n integer); insert into t values (1, 0), (2, 0)")
        }
        let add = Statement("update t set n = n + 1 where id = $1")
        // Both are inside before either takes its second row: a real deadlock, which Postgres ends by refusing one.
        let gate = Statement("select pg_advisory_lock_shared(7)")
        let keeper = try await Connection.open(info, name: "keeper")
        try await keeper.script("select pg_advisory_lock(7)")
        let orders: [(Int64, Int64)] = [(1, 2), (2, 1)]
        let tasks = orders.map { first, second in
            Task {
                try await pool.transaction { connection in
                    try connection.execute(add, [.int(first)])
                    try connection.execute(gate)
                    try connection.execute(add, [.int(second)])
                }
            }
        }
        try await eventually("both wait at the gate") {
            try await keeper.query(
                Statement(
                    """
                    select count(*) from pg_locks join pg_database on oid = database
                    where locktype = 'advisory' and not granted and datname = current_database()
                    """
                )
            ) { try $0.int(0) } == [2]
        }
        try await keeper.script("select pg_advisory_unlock(7)")
        for task in tasks { _ = try await task.value }
        #expect(try await pool.query(Statement("select n from t order by id")) { try $0.int(0) } == [2, 2])
    }

    @Test func anUnreachableServerIsReportedClearly() async throws {
        let pool = Pool(ConnectionInfo("host=/tmp/nobody-listens-here"), size: 1, name: "nobody")
        for _ in 0..<3 {
            let error = await #expect(throws: PostgresError.self) { try await pool.execute(Self.ownProcess) }
            #expect(error?.kind == .connection && error?.message.contains("/tmp/nobody-listens-here") == true)
        }
        #expect(pool.counts.open == 0)
    }
}
