// A writer that records its calls, and answers as a test sets.

import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// Records the calls of a poller, and lets a test wait for them.
actor RecordingSink: ReplySink {
    enum Event: Sendable, Equatable {
        case accepted(balls: Int)
        case unchanged
        case ticked
        case announced(Fixture)
        case removed
    }

    struct Failure: Error {}

    nonisolated let events: AsyncStream<Event>
    private let tell: AsyncStream<Event>.Continuation
    private let answer: @Sendable (Int) throws -> Acceptance
    private let tickEvery: Duration?
    private var accepted = 0
    private var record = MatchRecord()
    /// All recorded calls.
    private(set) var replies: [SeenReply] = []
    /// When the feed is polled again, as reported after each answer.
    private(set) var waits: [Duration] = []
    private var look: Duration?
    private var ticked = 0

    init(tickEvery: Duration? = nil, answer: @escaping @Sendable (Int) throws -> Acceptance = { _ in .unchanged }) {
        (events, tell) = AsyncStream.makeStream()
        self.tickEvery = tickEvery
        self.answer = answer
    }

    func accept(_ reply: SeenReply) async throws -> ReplyResult {
        accepted += 1
        replies.append(reply)
        tell.yield(.accepted(balls: reply.snapshot.deliveries.count))
        let acceptance = try answer(accepted)
        if case .applied = acceptance { take(reply.snapshot) }
        if acceptance == .unchanged { take(reply.snapshot) }
        return ReplyResult(acceptance: acceptance, look: look)
    }

    /// From now on an alert is pending.
    func wantLook(in look: Duration) { self.look = look }

    func unchanged(seenAt: Instant, source: JournalSource) async throws -> Duration? {
        tell.yield(.unchanged)
        return look
    }

    func announce(_ fixture: Fixture, source: JournalSource) async throws { tell.yield(.announced(fixture)) }

    func isInPlay() async throws -> Bool { record.isInPlay }

    func removed() async throws { tell.yield(.removed) }

    private func take(_ snapshot: MatchSnapshot) {
        for change in Differ.changes(from: record, to: snapshot) { record.apply(change) }
    }

    func tick(nextPollIn: Duration?) async throws -> Duration? {
        if let nextPollIn { waits.append(nextPollIn) }
        ticked += 1
        tell.yield(.ticked)
        return tickEvery
    }

    /// Waits for the next call other than a tick.
    nonisolated func next() async -> Event? { await events.first { $0 != .ticked } }

    /// Waits for so many ticks from now on.
    nonisolated func ticks(_ count: Int) async throws {
        let wanted = await ticked + count
        try await eventually("\(count) ticks") { await ticked >= wanted }
    }
}
