// The time is an interface of the client, so that tests and simulations set it.

/// One instant by two clocks.
public struct ClientInstant: Sendable, Hashable {
    /// Wall time in milliseconds since 1970; a person can set it.
    public var wall: Int64
    /// Time that only grows, for waits.
    public var uptime: Duration

    /// Makes an instant.
    public init(wall: Int64, uptime: Duration) {
        self.wall = wall
        self.uptime = uptime
    }
}

/// The clock of a client.
public protocol ClientClock: Sendable {
    /// The current time.
    var now: ClientInstant { get }

    /// Waits until `uptime` has reached a value.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func wait(until uptime: Duration) async throws
}

extension Duration {
    /// Whole milliseconds, rounded down.
    var milliseconds: Int64 { components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000 }
}
