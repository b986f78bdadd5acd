// Opening connections in a hurry looks like an attack to Apple, so dialling has its own rules.

internal import ScoreTypes

/// When a connection slot may dial: at most once a second, and ever more seldom while it fails.
struct DialPolicy: Sendable, Hashable {
    private var lastDial: Duration?
    private var failures = 0

    init() {}

    /// How many dials failed in a row.
    var failuresInARow: Int { failures }

    /// When the next dial may be made.
    ///
    /// - Parameter jitter: A number from 0 up to 1.
    /// - Returns: A moment of the loop's time, possibly past.
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
