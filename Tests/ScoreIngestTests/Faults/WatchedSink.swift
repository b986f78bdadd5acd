// A test from a feed's bytes to the journal's rows waits for the arrival of a reply in the journal.

import MatchEngine
import ScoreTypes

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// A writer, and a stream of its calls.
struct WatchedSink: ReplySink {
    enum Event: Sendable, Equatable {
        case accepted(Acceptance)
        case unchanged
        case ticked
    }

    let events: AsyncStream<Event>
    private let writer: MatchWriter
    private let tell: AsyncStream<Event>.Continuation

    init(_ writer: MatchWriter) {
        self.writer = writer
        (events, tell) = AsyncStream.makeStream()
    }

    func accept(_ reply: SeenReply) async throws -> ReplyResult {
        let acceptance = try await writer.accept(reply)
        tell.yield(.accepted(acceptance))
        return ReplyResult(acceptance: acceptance)
    }

    func unchanged(seenAt: Instant, source: JournalSource) async throws -> Duration? {
        try await writer.unchanged(seenAt: seenAt, source: source)
        tell.yield(.unchanged)
        return nil
    }

    func tick(nextPollIn: Duration?) async throws -> Duration? {
        let wait = try await writer.tick()
        tell.yield(.ticked)
        return wait
    }

    func announce(_ fixture: Fixture, source: JournalSource) async throws {
        try await writer.announce(fixture, source: source)
    }

    func isInPlay() async throws -> Bool { try await writer.stored().record.isInPlay }

    func removed() async throws { try await writer.removed() }

    /// Waits for a reply that changed the match.
    func applied() async {
        _ = await events.first { if case .accepted(.applied) = $0 { true } else { false } }
    }

    /// Waits for the next of these.
    func next(_ event: Event) async { _ = await events.first { $0 == event } }
}
