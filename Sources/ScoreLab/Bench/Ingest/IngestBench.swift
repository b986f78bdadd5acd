// A ball is on a phone as soon as its reply was read, compared, folded and written; this says what that takes.

import ArgumentParser
import MatchEngine
import MatchJournal
import Postgres
import Providers
import ScoreTypes
import Simulators

/// Ingests replies of a megabyte, each with one new ball, into a durable journal.
///
/// A provider with pages sends changed pages only, so that its megabyte is never one reply.
struct IngestBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Read, compare, fold and journal a large match, one new ball a reply, on a private PostgreSQL.",
        discussion: """
            sportmonks and cricsheet send a match in one reply, so each reply is as large as the match; roanuz and \
            entitysport send it in pages, and a reply has the pages that changed. The output states both sizes.
            """
    )

    @Option(help: "sportmonks, roanuz, entitysport or cricsheet; totals alone are never large.")
    var provider = Provider.sportmonks.rawValue

    @Option(help: "Replies that are timed.")
    var rounds = 200

    @Option(help: "Bytes of the whole match; a reply of pages may contain only some of them.")
    var bytes = 1_000_000

    @Option(help: "Milliseconds; exit status 1 when the 99th percentile of the whole way is above.")
    var atMost: Double?

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    /// Replies before the first that is timed: connections are open then, and statements prepared.
    private static let warmUps = 5
    /// Balls by which the first reply is made larger until it is large enough.
    private static let ballsStep = 60

    func run() async throws {
        if let atMost, !(atMost > 0) { throw ValidationError("--at-most must be above 0.") }
        guard let provider = Provider(rawValue: provider), provider != .cricketData else {
            throw ValidationError("--provider must be sportmonks, roanuz, entitysport or cricsheet.")
        }
        let figures = try await onOwnDatabase { try await measure(provider, on: $0) }
        figures.show(asJSON: json)
        if let atMost, !figures.isWithin(.milliseconds(atMost)) { throw ExitCode.failure }
    }

    private func measure(_ provider: Provider, on database: ConnectionInfo) async throws -> IngestFigures {
        let rounds = max(1, rounds)
        let pool = Pool(database, size: 2, name: "bench")
        var feed = try IngestBenchFeed(provider)
        var balls = Self.ballsStep
        while try Self.bytes(feed.replies(balls: balls).replies) < bytes {
            balls += Self.ballsStep
            guard balls + rounds + Self.warmUps < IngestBenchMatch.balls else {
                throw MeasurementFailure("no reply of \(bytes) bytes can be made; choose fewer bytes or rounds")
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
