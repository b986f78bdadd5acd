// The delay of a small match is measured from the commit of its ball, through the parts of a server.

import MatchEngine
import MatchJournal
import Postgres
import ScoreTypes
import Synchronization

/// Small matches on a private PostgreSQL: each ball is journalled, published from the journal and handed on.
///
/// So many take turns that the pace of ordinary balls, ten seconds a match, holds none of them back.
final class SmallMatches: Sendable {
    static let count = 100
    /// Connections of the pool, as a node has them.
    private static let connections = 8
    /// Balls that each match has had before the first that counts.
    private static let ballsBefore = 60

    private let writers: [MatchWriter]
    private let source = JournalSource(.cricsheet, feed)
    /// Each match after each of its balls: the same balls in all.
    private let snapshots: [MatchSnapshot]
    private let commits: CommitTimes
    private let publishing: Task<Void, Never>
    private let pool: Pool

    private static let feed = FeedID(unchecked: "bench")

    /// - `steps`: Balls of each match; the first one only makes it known.
    init(
        on database: ConnectionInfo,
        steps: Int,
        clock: ServiceClock,
        outlet: @escaping @Sendable (Publication) async -> Void
    ) async throws {
        let pool = Pool(database, size: Self.connections, name: "bench")
        let journal = Journal(pool: pool)
        let publications = PublicationCache(journal: journal, clock: clock, scheme: "score")
        let publisher = Publisher(publications, info: database, outlet: outlet)
        let commits = CommitTimes()
        writers = (0..<Self.count).map { number in
            MatchWriter(
                match: FanoutFixture.smallMatch(number),
                feed: Self.feed,
                journal: journal,
                fence: { BenchDatabase.fence },
                clock: clock,
                committed: { match in
                    commits.note(match, at: clock.monotonic)
                    publisher.wake(match)
                }
            )
        }
        var balls = try IngestBenchFeed(.cricsheet)
        snapshots = try (0..<steps).map { try balls.snapshot(balls.replies(balls: Self.ballsBefore + $0).replies) }
        self.commits = commits
        self.pool = pool
        publishing = Task { await publisher.run() }
    }

    /// Takes a reply in with one more ball of a match; when it was committed.
    func play(_ smallMatch: Int, step: Int) async throws -> Duration {
        let reply = SeenReply(snapshots[step], seenAt: ServiceClock().wall, source: source)
        guard case .applied = try await writers[smallMatch].accept(reply),
            let committed = commits.take(FanoutFixture.smallMatch(smallMatch))
        else { throw MeasurementFailure("a new ball was not journalled") }
        return committed
    }

    /// Ends the publisher.
    func stop() async {
        publishing.cancel()
        await publishing.value
        await pool.close()
    }
}

/// When matches were last committed.
private final class CommitTimes: Sendable {
    private let times = Mutex<[MatchID: Duration]>([:])

    func note(_ match: MatchID, at time: Duration) { times.withLock { $0[match] = time } }

    func take(_ match: MatchID) -> Duration? { times.withLock { $0.removeValue(forKey: match) } }
}
