// The clocks of the device.

internal import Foundation

/// The clock of the device; waits also count the time in which it sleeps.
public struct SystemClock: ClientClock {
    private let clock = ContinuousClock()
    private let start = ContinuousClock().now

    /// Makes a clock whose `uptime` begins at zero.
    public init() {}

    /// The current time.
    public var now: ClientInstant {
        ClientInstant(wall: Int64(Date().timeIntervalSince1970 * 1000), uptime: start.duration(to: clock.now))
    }

    /// Waits until `uptime` has reached a value.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    public func wait(until uptime: Duration) async throws {
        try await clock.sleep(until: start.advanced(by: uptime), tolerance: nil)
    }
}
