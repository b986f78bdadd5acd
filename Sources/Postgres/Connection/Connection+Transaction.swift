// Transactions have a synchronous body, so that no suspension can occur while locks are held.

/// The isolation and the kind of a transaction.
public enum TransactionMode: Sendable, Hashable {
    /// Reads and writes, each statement on the data committed before it (read committed).
    case readWrite
    /// The same, and registered under a number before its first read; see `Pool.passed(mark:within:)`.
    case marked(Int64)
    /// Reads the data as they were at the first statement (repeatable read).
    case snapshotReadOnly

    var opening: String {
        switch self {
        case .readWrite: "begin"
        // One round trip; transactions share the lock, so none of them waits.
        case .marked(let mark): "begin; select pg_advisory_xact_lock_shared(\(mark))"
        case .snapshotReadOnly: "begin isolation level repeatable read read only"
        }
    }
}

extension Connection {
    /// Runs the body in a transaction: commits when it returns, rolls back when it throws.
    ///
    /// - Parameters:
    ///   - mode: The isolation and the kind of the transaction.
    ///   - body: Runs on the connection's thread.
    /// - Returns: The result of the body.
    /// - Throws: The error of the body; `PostgresError` of kind `connection` when the connection broke, after which the
    /// commit may or may not have happened; of kind `other` inside another transaction.
    public func withTransaction<R>(
        _ mode: TransactionMode = .readWrite,
        _ body: (isolated Connection) throws -> R
    ) throws -> R {
        let session = try openSession()
        guard !session.isInTransaction else {
            throw PostgresError(.other, message: "a transaction is already open")
        }
        _ = try session.run(mode.opening)
        let value: R
        do {
            value = try body(self)
        } catch {
            // When the rollback fails too, the connection is broken and the server rolls back.
            _ = try? session.run("rollback")
            throw error
        }
        guard try session.run("commit").commandTag == "COMMIT" else {
            throw PostgresError(.other, message: "the transaction had failed before its commit")
        }
        return value
    }

    /// The result of a borrower's body, and the state of the connection after it.
    struct Outcome<R: Sendable>: Sendable {
        let result: Result<R, any Error>
        /// Whether the connection can be used again.
        let isHealthy: Bool
    }

    /// Runs a borrower's body.
    ///
    /// - Parameter body: Runs on the connection's thread.
    /// - Returns: nil when the server had closed the connection before the body began.
    func serve<R: Sendable>(_ body: @Sendable (isolated Connection) throws -> R) -> Outcome<R>? {
        guard isUsable else { return nil }
        let result = Result { try body(self) }
        if let session = try? openSession(), session.isInTransaction { _ = try? session.run("rollback") }
        return Outcome(result: result, isHealthy: isUsable && !result.isReadOnly)
    }
}

extension Result where Failure == any Error {
    /// Whether the server refused to write; a new connection may find the primary.
    fileprivate var isReadOnly: Bool {
        guard case .failure(let error as PostgresError) = self else { return false }
        return error.kind == .readOnly
    }
}
