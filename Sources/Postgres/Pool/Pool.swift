// Few connections serve many callers: waits are bounded, and a broken connection is replaced.

internal import Metrics
internal import Synchronization

/// A bounded set of connections to one database, opened when first needed.
public final class Pool: Sendable {
    /// The limits of a pool.
    public struct Bounds: Sendable {
        /// Callers that may wait at a time; further calls throw `poolFull`, since the database is overloaded.
        public var waitersMax: Int
        /// Longest wait of one caller, after which it throws `poolFull`.
        public var waitMax: Duration
        /// Longest statement, after which the server cancels it; nil for none.
        public var statementTimeout: Duration?
        /// Longest pause inside a transaction, after which the server ends it, so that its locks are released.
        public var idleTimeout: Duration
        /// Whether cancellation of a task ends its statement and closes the connection: for callers that may
        /// disconnect.
        ///
        /// Otherwise a cancelled task completes its work, as a node does that shuts down.
        public var endsWithCaller: Bool

        /// The defaults: 1,024 callers wait up to 2 s, a statement takes up to 5 s and is completed on cancellation, a
        /// transaction may pause for 10 s.
        public init(
            waitersMax: Int = PostgresLimits.poolWaiters,
            waitMax: Duration = PostgresLimits.poolWait,
            statementTimeout: Duration? = PostgresLimits.statementTimeout,
            idleTimeout: Duration = PostgresLimits.idleInTransactionTimeout,
            endsWithCaller: Bool = false
        ) {
            self.waitersMax = waitersMax
            self.waitMax = waitMax
            self.statementTimeout = statementTimeout
            self.idleTimeout = idleTimeout
            self.endsWithCaller = endsWithCaller
        }
    }

    private let info: ConnectionInfo
    /// The name in `pg_stat_activity`, and in metrics.
    public let name: String
    private let bounds: Bounds
    private let locked: Mutex<LockedState>

    /// Makes a pool; connections are opened when first needed.
    ///
    /// - Parameters:
    ///   - info: Server, login and database.
    ///   - size: Most connections; a number below 1 counts as 1.
    ///   - name: Name in `pg_stat_activity`.
    ///   - bounds: The limits for callers.
    public init(_ info: ConnectionInfo, size: Int, name: String, bounds: Bounds = Bounds()) {
        self.info = info
        self.name = name
        self.bounds = bounds
        locked = Mutex(LockedState(state: PoolState(size: max(1, size), waitersMax: bounds.waitersMax)))
    }

    /// Connections open or being opened, idle connections among them, and waiting callers.
    public var counts: (open: Int, idle: Int, waiting: Int) {
        locked.withLock { ($0.state.placesTaken, $0.state.idleCount, $0.state.waiterCount) }
    }

    /// Lends a connection to the body.
    ///
    /// - Parameter body: Runs on the connection's thread.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body; `PostgresError` of kind `poolFull` when no connection became free in time, of
    ///   kind `connection` when none can be opened.
    public func withConnection<R: Sendable>(
        _ body: @Sendable (isolated Connection) throws -> R
    ) async throws -> R {
        do { return try await lend(body) } catch let error as PostgresError {
            let dimensions = [("pool", name), ("class", error.kind.rawValue)]
            Counter(label: "score_db_errors_total", dimensions: dimensions).increment()
            throw error
        }
    }

    private func lend<R: Sendable>(_ body: @Sendable (isolated Connection) throws -> R) async throws -> R {
        let rested = try await borrow()
        if let outcome = await rested.serve(body) { return try settle(outcome, of: rested) }
        // The connection broke while idle; the body has not begun, so that it can run on a new connection.
        let fresh = try await openOrLose()
        if let outcome = await fresh.serve(body) { return try settle(outcome, of: fresh) }
        lose()
        throw PostgresError(.connection, message: "the server closes new connections")
    }

    /// Runs the body in a transaction, and again after a conflict with another transaction, at most three times.
    ///
    /// - Parameters:
    ///   - mode: The isolation and the kind of the transaction.
    ///   - body: Runs on the connection's thread, once for each attempt.
    /// - Returns: The result of the body.
    /// - Throws: As `withConnection`; `PostgresError` of kind `serialization` after the last attempt.
    public func transaction<R: Sendable>(
        _ mode: TransactionMode = .readWrite,
        _ body: @Sendable (isolated Connection) throws -> R
    ) async throws -> R {
        var attempt = 1
        while true {
            do {
                return try await withConnection { connection in try connection.withTransaction(mode, body) }
            } catch let error as PostgresError
                where error.kind == .serialization && attempt < PostgresLimits.transactionAttempts
            {
                try await Task.sleep(for: PostgresLimits.transactionRetryPause * (Double(attempt) * .random(in: 0...1)))
                attempt += 1
            }
        }
    }

    /// Runs one statement and decodes each row.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - binds: The values of `$1`, `$2` …
    ///   - decode: Called once for each row.
    /// - Returns: The decoded rows, in the order of the result.
    /// - Throws: As `withConnection`.
    public func query<T: Sendable>(
        _ statement: Statement,
        _ binds: [Bind] = [],
        decode: @Sendable (Row) throws -> T
    ) async throws -> [T] {
        try await withConnection { connection in try connection.query(statement, binds, decode: decode) }
    }

    /// Runs one statement.
    ///
    /// - Parameters:
    ///   - statement: The statement.
    ///   - binds: The values of `$1`, `$2` …
    /// - Returns: Number of rows written.
    /// - Throws: As `withConnection`.
    @discardableResult
    public func execute(_ statement: Statement, _ binds: [Bind] = []) async throws -> Int {
        try await withConnection { connection in try connection.execute(statement, binds) }
    }

    /// Closes idle connections and refuses waiting callers; lent connections are closed when they are returned.
    public func close() async {
        let (idle, waiting) = locked.withLock { locked in
            let closed = locked.state.close()
            return (closed.idle, closed.waiters.compactMap { locked.takeWaiter($0) })
        }
        for waiter in waiting { waiter.resume(returning: .failure(Self.closedError)) }
        for connection in idle { await connection.close() }
    }

    private static var closedError: PostgresError { PostgresError(.connection, message: "the pool is closed") }

    private func settle<R: Sendable>(_ outcome: Connection.Outcome<R>, of connection: Connection) throws -> R {
        if outcome.isHealthy { giveBack(connection) } else { lose() }
        return try outcome.result.get()
    }

    private func openOrLose() async throws(PostgresError) -> Connection {
        do {
            return try await Connection.open(
                info,
                name: name,
                statementTimeout: bounds.statementTimeout,
                idleTimeout: bounds.idleTimeout,
                endsWithCaller: bounds.endsWithCaller
            )
        } catch {
            lose()
            throw error
        }
    }

    private func borrow() async throws -> Connection {
        if bounds.endsWithCaller && Task.isCancelled {
            throw PostgresError(.timeout, message: "the task was cancelled before its statement began")
        }
        switch locked.withLock({ $0.state.acquire() }) {
        case .use(let connection): return connection
        case .open: return try await openOrLose()
        case .wait(let waiter):
            if let connection = try await wait(as: waiter).get() { return connection }
            return try await openOrLose()
        case .refuse:
            throw PostgresError(.poolFull, message: "\(bounds.waitersMax) callers already wait for a connection")
        case .closed: throw Self.closedError
        }
    }

    /// Waits for a connection, or nil for permission to open one.
    private func wait(as waiter: PoolState<Connection>.WaiterID) async -> Handed {
        let timer = Task { [bounds] in
            try await Task.sleep(for: bounds.waitMax)
            abandon(waiter, because: "no connection became free within \(bounds.waitMax)")
        }
        defer { timer.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let early = locked.withLock { $0.register(waiter, continuation) }
                if let early { continuation.resume(returning: early) }
            }
        } onCancel: {
            abandon(waiter, because: "the task was cancelled while it waited for a connection")
        }
    }

    private func abandon(_ waiter: PoolState<Connection>.WaiterID, because reason: String) {
        let failure = Handed.failure(PostgresError(.poolFull, message: reason))
        let continuation = locked.withLock { locked in
            locked.state.abandon(waiter) ? locked.deliver(failure, to: waiter) : nil
        }
        continuation?.resume(returning: failure)
    }

    private func giveBack(_ connection: Connection) { handOver { $0.giveBack(connection) } }

    private func lose() { handOver { $0.lose() } }

    private func handOver(_ decide: (inout PoolState<Connection>) -> PoolState<Connection>.Handover) {
        let (continuation, handed) = locked.withLock { locked -> (LockedState.Waiting?, Handed) in
            switch decide(&locked.state) {
            case .give(let connection, let waiter):
                (locked.deliver(.success(connection), to: waiter), .success(connection))
            case .letOpen(let waiter): (locked.deliver(.success(nil), to: waiter), .success(nil))
            // A discarded connection is closed with its last reference.
            case .rest, .discard: (nil, .success(nil))
            }
        }
        continuation?.resume(returning: handed)
    }

    private typealias Handed = Result<Connection?, PostgresError>

    /// The state of the pool, and the continuations of its waiting callers.
    private struct LockedState {
        typealias Waiting = CheckedContinuation<Handed, Never>
        var state: PoolState<Connection>
        private var waiting: [PoolState<Connection>.WaiterID: Waiting] = [:]
        /// Handovers to callers that have not suspended yet.
        private var early: [PoolState<Connection>.WaiterID: Handed] = [:]

        init(state: PoolState<Connection>) { self.state = state }

        /// Registers a continuation; returns the handover when it happened before.
        mutating func register(_ waiter: PoolState<Connection>.WaiterID, _ continuation: Waiting) -> Handed? {
            if let handed = early.removeValue(forKey: waiter) { return handed }
            if state.isClosed { return .failure(Pool.closedError) }
            waiting[waiter] = continuation
            return nil
        }

        /// Returns the continuation to resume outside the lock; keeps the handover until there is one.
        mutating func deliver(_ handed: Handed, to waiter: PoolState<Connection>.WaiterID) -> Waiting? {
            if let continuation = waiting.removeValue(forKey: waiter) { return continuation }
            early[waiter] = handed
            return nil
        }

        mutating func takeWaiter(_ waiter: PoolState<Connection>.WaiterID) -> Waiting? {
            waiting.removeValue(forKey: waiter)
        }
    }
}
