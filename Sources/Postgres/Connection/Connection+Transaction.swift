// Transactions have a synchronous body, so that nothing can be awaited while locks are held.

/// What a transaction may do and see.
public enum TransactionMode: Sendable, Hashable {
    /// Reads and writes what is committed, statement by statement.
    case readWrite
    /// Like it, and known by this number before its first statement reads anything: `Pool.passed(mark:within:)`.
    case marked(Int64)
    /// Reads the database as it was at the first statement.
    case snapshotReadOnly

    var opening: String {
        switch self {
        case .readWrite: "begin"
        // One round trip; a lock that everybody shares costs nobody a wait.
        case .marked(let mark): "begin; select pg_advisory_xact_lock_shared(\(mark))"
        case .snapshotReadOnly: "begin isolation level repeatable read read only"
        }
    }
}

extension Connection {
    /// Runs the body in a transaction: commits when it returns, rolls back when it throws.
    ///
    /// - Throws: What the body throws; `PostgresError` of kind `connection` when the server was lost, at which a commit
    ///   may or may not have happened; kind `other` inside another transaction.
    public func withTransaction<R>(
        _ mode: TransactionMode = .readWrite,
        _ body: (isolated Connection) throws -> R
    ) throws -> R {
        let session = try openSession()
        guard !session.isInTransaction else {
            throw PostgresError(.other, message: "a transaction is open already")
        }
        _ = try session.run(mode.opening)
        let value: R
        do {
            value = try body(self)
        } catch {
            // When this fails too the connection is broken, and the server rolls back by itself.
            _ = try? session.run("rollback")
            throw error
        }
        guard try session.run("commit").commandTag == "COMMIT" else {
            throw PostgresError(.other, message: "the transaction had failed before its commit")
        }
        return value
    }

    /// Runs the body in a transaction, for callers outside of the connection; the same rules as `withTransaction`.
    public func transaction<R: Sendable>(
        _ mode: TransactionMode = .readWrite,
        _ body: @Sendable (isolated Connection) throws -> R
    ) throws -> R {
        try withTransaction(mode, body)
    }

    /// What a pool needs to know after somebody worked with its connection.
    struct Outcome<R: Sendable>: Sendable {
        let result: Result<R, any Error>
        /// False: throw the connection away.
        let isHealthy: Bool
    }

    /// Runs a borrower's body; nil when the server had hung up before the body began.
    func serve<R: Sendable>(_ body: @Sendable (isolated Connection) throws -> R) -> Outcome<R>? {
        guard isUsable else { return nil }
        let result = Result { try body(self) }
        if let session = try? openSession(), session.isInTransaction { _ = try? session.run("rollback") }
        return Outcome(result: result, isHealthy: isUsable && !result.cameFromStandby)
    }
}

extension Result where Failure == any Error {
    /// Whether the server refused to write: the next connection may find the one that does not.
    fileprivate var cameFromStandby: Bool {
        guard case .failure(let error as PostgresError) = self else { return false }
        return error.kind == .readOnly
    }
}
