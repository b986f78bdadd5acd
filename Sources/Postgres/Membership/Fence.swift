// A node that was declared dead may still run; each of its writes checks its right inside its own transaction.

public import ScoreTypes

/// The right to write, checked inside the transaction that writes.
public struct Fence: Sendable, Hashable {
    /// The writing node.
    public let node: NodeID
    /// The term of the node.
    public let term: Term
    /// The lease that the node must hold; nil when the write needs none.
    public let lease: String?

    /// Makes a fence.
    public init(node: NodeID, term: Term, lease: String? = nil) {
        self.node = node
        self.term = term
        self.lease = lease
    }

    /// Throws unless the term is valid and the node holds the lease.
    ///
    /// The lease cannot pass to another node before the transaction ends. Renewals are not blocked.
    ///
    /// - Parameter connection: A connection inside a transaction.
    /// - Throws: `PostgresError` of kind `fenced`; of another kind when the query fails.
    public func check(on connection: isolated Connection) throws {
        // The weaker lock protects the term, a key of its table, and permits renewals to update the expiry.
        guard try connection.execute(Self.termIsAlive, [.text(node.text), .int(term.number)]) == 1 else {
            throw PostgresError(.fenced, message: "term \(term) of node \(node) is over")
        }
        guard let lease else { return }
        guard try connection.execute(Self.leaseIsHeld, [.text(lease), .int(term.number)]) == 1 else {
            throw PostgresError(.fenced, message: "node \(node) does not hold the lease \(lease)")
        }
    }

    private static let termIsAlive: Statement = """
        select 1 from node where node_id = $1 and term = $2 and expires_at > clock_timestamp() for key share
        """
    private static let leaseIsHeld = Statement("select 1 from lease where name = $1 and term = $2 for share")
}
