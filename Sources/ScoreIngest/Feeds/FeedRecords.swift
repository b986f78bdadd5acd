// Operators pause feeds and send orders through any node; the table `feed` and NOTIFY reach the node that polls.

public import Postgres
public import ScoreTypes

/// The store of paused feeds, and the sender of orders to the nodes that poll.
public struct FeedRecords: Sendable {
    private let pool: Pool

    /// Makes the store.
    public init(pool: Pool) { self.pool = pool }

    /// The paused feeds with their reasons.
    ///
    /// - Throws: `PostgresError` when the database cannot answer.
    public func pausedReasons() async throws -> [FeedID: String] {
        let rows = try await pool.query(SQL.paused) { row in (try row.text(0), try row.text(1)) }
        return Dictionary(rows.compactMap { row in FeedID(row.0).map { ($0, row.1) } }) { first, _ in first }
    }

    /// Stores that a feed is paused, and informs all nodes.
    ///
    /// - Throws: `PostgresError` when the database cannot answer.
    public func pause(_ feed: FeedID, provider: String, reason: String) async throws {
        _ = try await pool.execute(SQL.pause, [.text(feed.text), .text(provider), .text(reason)])
        try await send(.feed(feed, .turn))
    }

    /// Stores that a feed is not paused, and informs all nodes.
    ///
    /// - Throws: `PostgresError` when the database cannot answer.
    public func resume(_ feed: FeedID) async throws {
        _ = try await pool.execute(SQL.resume, [.text(feed.text)])
        try await send(.feed(feed, .turn))
    }

    /// Sends an order to all nodes, this one included.
    ///
    /// - Throws: `PostgresError` when the database cannot answer.
    public func send(_ order: IngestOrder) async throws {
        _ = try await pool.query(SQL.notify, [.text(IngestOrder.channel), .text(order.payload)]) { _ in () }
    }

    private enum SQL {
        static let paused = Statement("select feed_id, paused_reason from feed where paused_reason is not null")
        static let pause = Statement(
            """
            insert into feed (feed_id, provider, paused_reason) values ($1, $2, $3)
            on conflict (feed_id) do update set paused_reason = excluded.paused_reason
            """
        )
        static let notify = Statement("select pg_notify($1, $2)")
        static let resume = Statement("update feed set paused_reason = null where feed_id = $1")
    }
}
