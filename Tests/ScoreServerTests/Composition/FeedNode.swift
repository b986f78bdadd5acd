// Tests of whole nodes journal replies of a feed as another node of the same database does.

import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreIngest
@testable import ScoreServer

/// A node that joins, journals a reply about the sample match, and leaves.
///
/// It is drained from the start, so that it takes no buckets from the nodes of the test.
enum FeedNode {
    private static let join: Statement = """
        insert into node (node_id, expires_at, drained_at)
            values ($1, clock_timestamp() + interval '60 seconds', clock_timestamp())
        on conflict (node_id) do update
            set term = excluded.term, expires_at = excluded.expires_at, drained_at = excluded.drained_at
        returning term
        """

    /// Journals a reply with these balls; returns the revision of the match.
    ///
    /// The reply arrives `count` times: the journal takes a withdrawal only when it is repeated.
    @discardableResult
    static func report(
        _ deliveries: [Delivery],
        on setup: NodeSetup,
        as node: String = "feed",
        repeated count: Int = 1
    ) async throws -> Int64 {
        let clock = ServiceClock()
        let node = NodeID(unchecked: node)
        let terms = try await setup.pool.query(Self.join, [.text(node.text)]) { Term(try $0.int(0)) }
        let fence = Fence(node: node, term: try #require(terms.first))
        let writer = MatchWriter(
            match: Samples.match,
            feed: FeedID(unchecked: "test"),
            journal: Journal(pool: setup.pool),
            fence: { fence },
            clock: clock,
            committed: { _ in }
        )
        let snapshot = MatchSnapshot(
            info: Samples.info(),
            innings: [InningsInfo(ordinal: 1, batting: .first)],
            deliveries: deliveries,
            status: StatusReport(status: .live)
        )
        for _ in 0..<count {
            _ = try await writer.accept(
                SeenReply(snapshot, seenAt: clock.wall, source: JournalSource(.cricsheet, FeedID(unchecked: "test")))
            )
        }
        try await setup.pool.execute("delete from node where node_id = $1", [.text(node.text)])
        return try await setup.number(Statement("select rev from match"))
    }
}
