// A ball is on a phone as soon as its reply was read, compared, folded and written; this says what that takes.

import MatchEngine
import MatchJournal
import Postgres
import Providers
import ScoreTypes
import Simulators

/// Ingests replies of a megabyte, each with one new ball, into a durable journal.
///
/// A provider with pages sends changed pages only, so that its megabyte is never one reply.
struct IngestBench: Sendable {
    /// The provider of the replies.
    let provider: Provider
    /// Replies that are timed.
    let rounds: Int
    /// Bytes of all replies of the match from which on replies are timed.
    let bytesMin: Int

    /// Replies before the first that is timed: connections are open then, and statements prepared.
    private static let warmUps = 5
    /// Balls by which the first reply is made larger until it is large enough.
    private static let ballsStep = 60

    func run(on database: ConnectionInfo) async throws -> IngestFigures {
        let pool = Pool(database, size: 2, name: "bench")
        var feed = try IngestBenchFeed(provider)
        var balls = Self.ballsStep
        while try Self.bytes(feed.replies(balls: balls).replies) < bytesMin {
            balls += Self.ballsStep
            guard balls + rounds + Self.warmUps < IngestBenchMatch.balls else {
                throw MeasurementFailure("no reply of \(bytesMin) bytes can be made; choose fewer bytes or rounds")
            }
        }
        let intake = Intake(feed, pool, provider)
        let first = try feed.replies(balls: balls).replies
        _ = try await intake.take(first)
        var figures = IngestFigures(provider: provider, bytes: Self.bytes(first), balls: balls)
        for round in 1...(Self.warmUps + rounds) {
            let (replies, news) = try feed.replies(balls: balls + round)
            let lap = try await intake.take(replies)
            if round > Self.warmUps { figures.add(lap, bytes: news) }
        }
        await pool.close()
        return figures
    }

    private static func bytes(_ replies: ProviderReplies) -> Int {
        replies.parts.reduce(0) { $0 + (replies[$1]?.count ?? 0) }
    }
}

/// The way of a reply, with a watch at each step.
private actor Intake {
    private let feed: IngestBenchFeed
    private let writer: MatchWriter
    private let source: JournalSource
    /// The same decisions without a database: what it takes less than the writer is the journal's.
    private var rehearsal: MatchRehearsal

    init(_ feed: IngestBenchFeed, _ pool: Pool, _ provider: Provider) {
        self.feed = feed
        let (match, name, clock) = (MatchID(unchecked: "bench"), FeedID(unchecked: "bench"), ServiceClock())
        source = JournalSource(provider, name)
        let (journal, fence) = (Journal(pool: pool), BenchDatabase.fence)
        writer = MatchWriter(match: match, feed: name, journal: journal, fence: { fence }, clock: clock)
        rehearsal = MatchRehearsal(match: match, provider: provider, clock: clock)
    }

    func take(_ replies: ProviderReplies) async throws -> IngestLap {
        let watch = ContinuousClock()
        let start = watch.now
        let snapshot = try feed.snapshot(replies)
        let decoded = watch.now
        let reply = SeenReply(snapshot, seenAt: ServiceClock().wall, source: source)
        guard case .applied = try await writer.accept(reply) else {
            throw MeasurementFailure("a new ball changed nothing")
        }
        let written = watch.now
        // The parts of what the writer has just done, once more and one by one.
        let changes = Differ.changes(from: rehearsal.record, to: snapshot)
        let differed = watch.now
        guard case .applied = rehearsal.accept(snapshot), !changes.isEmpty else {
            throw MeasurementFailure("a new ball was not folded")
        }
        let folded = watch.now
        let (diff, rehearsed) = (differed - written, folded - differed)
        return IngestLap(
            decode: decoded - start,
            diff: diff,
            fold: max(.zero, rehearsed - diff),
            journal: max(.zero, (written - decoded) - rehearsed),
            total: written - start
        )
    }
}
