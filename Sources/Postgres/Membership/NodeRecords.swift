// Operators see all nodes of a database and drain one of them at any other; the table of nodes carries the order.

public import ScoreTypes

/// An operator's order that a node ends its work, without an end of its process.
public struct DrainOrder: Sendable, Hashable {
    /// When it was given.
    public let at: Instant
    /// The time over which the node ends its streams.
    public let spread: Duration

    /// Describes an order.
    public init(at: Instant, spread: Duration) { (self.at, self.spread) = (at, spread) }
}

/// The report of a node about itself with each renewal of its term.
public struct NodeReport: Sendable, Hashable {
    /// Whether it accepts requests, as its `/readyz` says.
    public var isReady = false
    /// Its open live streams.
    public var streams = 0

    /// Makes a report.
    public init(isReady: Bool = false, streams: Int = 0) { (self.isReady, self.streams) = (isReady, streams) }
}

/// A node as the table has it.
public struct NodeRecord: Sendable, Hashable {
    /// Its id.
    public let node: NodeID
    /// The term of its newest life.
    public let term: Term
    /// When this life began.
    public let since: Instant
    /// The release that it runs.
    public let version: String
    /// Whether its term is valid by PostgreSQL's clock.
    public let isAlive: Bool
    /// The end of its term; of a dead node, when it died.
    public let expiresAt: Instant
    /// Its newest report.
    public let report: NodeReport
    /// The order of an operator; nil when it is not drained.
    public let drain: DrainOrder?
    /// The number of buckets that it owns.
    public let buckets: Int
    /// The leases that it holds, in order.
    public let leases: [String]
}

/// Reads and orders nodes.
public struct NodeRecords: Sendable {
    private static let all: Statement = """
        select n.node_id, n.term, n.since, n.version, n.expires_at > clock_timestamp(), n.expires_at, n.is_ready,
               n.streams, n.drained_at, n.drain_seconds,
               (select count(*) from bucket_owner b where b.term = n.term),
               array(select l.name from lease l where l.term = n.term order by l.name)
        from node n order by n.node_id
        """

    private static let holders: Statement = """
        select l.name, n.node_id from lease l join node n on n.term = l.term
        where n.expires_at > clock_timestamp() and l.name = any($1)
        """

    private static let version = Statement("select current_setting('server_version')")

    private static let drainNode: Statement = """
        update node set drained_at = clock_timestamp(), drain_seconds = $2
        where node_id = $1 and expires_at > clock_timestamp()
        """

    private static let undrainNode: Statement = """
        update node set drained_at = null, drain_seconds = null
        where node_id = $1 and expires_at > clock_timestamp()
        """

    private let pool: Pool

    /// Reads over a pool.
    public init(pool: Pool) { self.pool = pool }

    /// The release of PostgreSQL.
    ///
    /// - Throws: `PostgresError`.
    public func databaseVersion() async throws -> String {
        try await pool.query(Self.version) { try $0.text(0) }.first ?? "unknown"
    }

    /// All nodes that live or died within a day, in the order of their ids.
    ///
    /// - Throws: `PostgresError`.
    public func all() async throws -> [NodeRecord] {
        try await pool.query(Self.all) { row in
            let seconds = try row.intIfPresent(9)
            return NodeRecord(
                node: NodeID(unchecked: try row.text(0)),
                term: Term(try row.int(1)),
                since: try row.timestamp(2),
                version: try row.text(3),
                isAlive: try row.bool(4),
                expiresAt: try row.timestamp(5),
                report: NodeReport(isReady: try row.bool(6), streams: Int(clamping: try row.int(7))),
                drain: try row.timestampIfPresent(8).map { DrainOrder(at: $0, spread: .seconds(seconds ?? 0)) },
                buckets: Int(clamping: try row.int(10)),
                leases: try row.texts(11)
            )
        }
    }

    /// The living holder of each lease that has one.
    ///
    /// - Throws: `PostgresError`.
    public func holders(of leases: [String]) async throws -> [String: NodeID] {
        let rows = try await pool.query(Self.holders, [.texts(leases)]) { row in
            (try row.text(0), NodeID(unchecked: try row.text(1)))
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// Orders a node to end its work, or takes the order back; the node reads it with its next renewal.
    ///
    /// - Parameters:
    ///   - node: The node.
    ///   - spread: Whole seconds over which it ends its streams; nil takes the order back.
    ///   - connection: A connection inside a transaction.
    /// - Returns: False for a node that does not live.
    /// - Throws: `PostgresError`.
    public static func drain(_ node: NodeID, over spread: Duration?, on connection: isolated Connection) throws -> Bool
    {
        let place: [Bind] = [.text(node.text)]
        guard let spread else { return try connection.execute(undrainNode, place) == 1 }
        return try connection.execute(drainNode, place + [.integer(Int32(clamping: spread.components.seconds))]) == 1
    }
}
