// The directions of a connection are passed independently, and share when it dies, is reset or ends.

internal import Synchronization

/// One connection of a link.
final class ProxiedConnection: Sendable {
    /// How a direction ended.
    enum End: Sendable { case closed, reset }

    /// Connections before this one.
    let number: Int
    private let state = Mutex(State())

    private struct State {
        var passed = 0
        /// Bytes after which it is reset; nil until a fault resets it.
        var limit: Int?
        var ended = 0
    }

    init(_ number: Int) { self.number = number }

    /// Counts bytes of both directions; returns whether they have reached the drawn limit.
    func isReset(after count: Int, limit draw: () -> Int) -> Bool {
        state.withLock { state in
            let limit = state.limit ?? draw()
            state.limit = limit
            state.passed += count
            return state.passed >= limit
        }
    }

    /// The source of a direction is closed.
    func directionEnded() { state.withLock { $0.ended += 1 } }

    /// Whether both ends are closed.
    var isEnded: Bool { state.withLock { $0.ended == 2 } }
}
