// A node that was thought dead may still be running; its writes must find out inside their own transaction.

public import ScoreTypes

/// The right to write, checked inside the transaction that writes.
public struct Fence: Sendable, Hashable {
    /// The writing node.
    public let node: NodeID
    /// The term in which it acts.
    public let term: Term
    /// The lease that it must hold, if the write needs one.
    public let lease: String?

    /// Names who writes.
    public init(node: NodeID, term: Term, lease: String? = nil) {
        self.node = node
        self.term = term
        self.lease = lease
    }

    /// Refuses the transaction unless the term is alive and the lease is its own.
    ///
    /// The lease cannot change hands before the transaction ends. Renewals go on beside it.
    ///
    /// - Throws: `PostgresError` of kind `fenced`.
    public func check(on connection: isolated Connection) throws {
        // The weaker lock keeps the term (a key of its table) and lets renewals move the expiry.
        guard try connection.execute(Self.termIsAlive, [.text(node.text), .int(term.number)]) == 1 else {
            throw PostgresError(.fenced, message: "term \(term) of node \(node) is over")
        }
        guard let lease else { return }
        guard try connection.execute(Self.leaseIsHeld, [.text(lease), .int(term.number)]) == 1 else {
            throw PostgresError(.fenced, message: "node \(node) does not hold the lease \(lease)")
        }
    }

    private static let termIsAlive = Statement(
        """
        select 1 from node where node_id = $1 and term = $2 and expires_at > clock_timestamp() for key share
        """
    )
    private static let leaseIsHeld = Statement("select 1 from lease where name = $1 and term = $2 for share")
}
