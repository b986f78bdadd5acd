// Apple treats rapid connections as an attack, so dials are limited.

internal import ScoreTypes

/// When a connection slot may dial: at most once a second, less often while it fails.
struct DialPolicy: Sendable, Hashable {
    private var lastDial: Duration?
    /// Failed dials in a row.
    private(set) var failures = 0

    /// The earliest time of the next dial.
    ///
    /// - Parameter jitter: A number of at least 0 and less than 1.
    /// - Returns: A moment of the loop's time, possibly in the past.
    func earliest(jitter: Double) -> Duration {
        guard let lastDial else { return .zero }
        guard failures > 0 else { return lastDial + PushLimits.dialDistance }
        let backOff = min(PushLimits.dialDistanceLongest, PushLimits.dialDistance * (1 << min(failures, 10)))
        return lastDial + max(PushLimits.dialDistance, backOff * (0.5 + 0.5 * jitter))
    }

    mutating func dialled(at now: Duration) { lastDial = now }

    mutating func succeeded() { failures = 0 }

    mutating func failed() { failures += 1 }
}
