// A writer that only remembers, and answers as a test says.

import MatchEngine
import ScoreTypes

@testable import ScoreIngest

/// Records what a poller hands over, and lets a test wait for it.
actor RecordingSink: ReplySink {
    enum Event: Sendable, Equatable {
        case accepted(balls: Int)
        case unchanged
        case ticked
    }

    struct Failure: Error {}

    nonisolated let events: AsyncStream<Event>
    private let announce: AsyncStream<Event>.Continuation
    private let answer: @Sendable (Int) throws -> Acceptance
    private let tickEvery: Duration?
    private var accepted = 0

    init(tickEvery: Duration? = nil, answer: @escaping @Sendable (Int) throws -> Acceptance = { _ in .unchanged }) {
        (events, announce) = AsyncStream.makeStream()
        self.tickEvery = tickEvery
        self.answer = answer
    }

    func accept(_ snapshot: MatchSnapshot, seenAt: Instant) async throws -> Acceptance {
        accepted += 1
        announce.yield(.accepted(balls: snapshot.deliveries.count))
        return try answer(accepted)
    }

    func unchanged(seenAt: Instant) async throws { announce.yield(.unchanged) }

    func tick() async throws -> Duration? {
        announce.yield(.ticked)
        return tickEvery
    }

    /// Waits for the next hand-over, ticks apart.
    nonisolated func next() async -> Event? { await events.first { $0 != .ticked } }

    /// Waits for so many ticks.
    nonisolated func ticks(_ count: Int) async {
        var left = count
        for await event in events where event == .ticked {
            left -= 1
            if left == 0 { return }
        }
    }
}
