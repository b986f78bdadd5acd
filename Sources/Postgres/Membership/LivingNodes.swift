// An order for all nodes is answered by each of them, so that its author has to know which nodes there are.

public import ScoreTypes

/// The nodes whose term is valid by the clock of PostgreSQL.
public struct LivingNodes: Sendable {
    private static let all = Statement(
        "select node_id from node where expires_at > clock_timestamp() order by node_id"
    )

    private let pool: Pool

    /// Reads over the connections of a pool.
    public init(pool: Pool) { self.pool = pool }

    /// The nodes, in order of their names.
    ///
    /// - Throws: `PostgresError` when PostgreSQL cannot answer.
    public func all() async throws -> [NodeID] {
        try await pool.query(Self.all) { NodeID(unchecked: try $0.text(0)) }
    }
}
