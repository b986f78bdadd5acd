// A writer without a database, so that the real poller can be followed to the end of a match.

import MatchEngine
import MatchJournal
import ScoreTypes
import Simulators

@testable import ScoreIngest
@testable import ScoreLab

/// Applies each reply as a writer does, and reports the match after each.
actor RehearsalSink: ReplySink {
    /// The match after each applied reply.
    nonisolated let records: AsyncStream<MatchRecord>
    private let tell: AsyncStream<MatchRecord>.Continuation
    private var rehearsal: MatchRehearsal
    /// The outcomes of the replies.
    private(set) var acceptances: [Acceptance] = []

    init(_ match: MatchID, _ provider: Provider, clock: ServiceClock) {
        rehearsal = MatchRehearsal(match: match, provider: provider, clock: clock)
        // Only the newest is needed by a reader that waits for the end.
        (records, tell) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    func accept(_ reply: SeenReply) async throws -> ReplyResult {
        let acceptance = rehearsal.accept(reply.snapshot)
        acceptances.append(acceptance)
        tell.yield(rehearsal.record)
        return ReplyResult(acceptance: acceptance)
    }

    func unchanged(seenAt: Instant, source: JournalSource) async throws -> Duration? {
        rehearsal.unchanged()
        tell.yield(rehearsal.record)
        return nil
    }

    func tick(nextPollIn: Duration?) async throws -> Duration? { rehearsal.tick() }

    func announce(_ fixture: Fixture, source: JournalSource) async throws {}

    func isInPlay() async throws -> Bool { rehearsal.record.isInPlay }

    func removed() async throws {}
}
