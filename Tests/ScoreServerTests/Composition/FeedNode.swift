// Tests of whole nodes journal replies of a feed as another node of the same database does.

import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes

@testable import MatchJournal
@testable import ScoreIngest
@testable import ScoreServer

/// A node that joins, journals a reply about the sample match, and leaves.
enum FeedNode {
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
        // Nothing renews the term.
        let membership = Membership(
            info: setup.info,
            node: NodeID(unchecked: node),
            clock: clock,
            timeToLive: .seconds(60)
        )
        try await membership.join()
        let writer = MatchWriter(
            match: Samples.match,
            feed: FeedID(unchecked: "test"),
            journal: Journal(pool: setup.pool),
            fence: { membership.fence() },
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
            _ = try await writer.accept(SeenReply(snapshot, seenAt: clock.wall, source: .server))
        }
        await membership.resign()
        return try await setup.number(Statement("select rev from match"))
    }
}
