// APNs answers 429 to too many pushes for one token or one channel within a short time; it publishes no number.

import ScoreTypes

/// Counts the pushes of each token and each channel by the minute.
struct PushRate {
    private static let span = Duration.seconds(60)

    private struct Minute {
        var from: Duration
        var count: Int
    }

    /// Pushes that are admitted in a minute; nil for any number.
    let limit: Int?
    /// By the hash of the recipient, since tokens are long.
    private var minutes: [UInt64: Minute] = [:]

    init(limit: Int?) { self.limit = limit }

    /// Counts a push, also one that is refused.
    ///
    /// - `now`: Domain time.
    /// - Returns: Whether the recipient may have it.
    mutating func admits(_ recipient: [UInt8], at now: Duration) -> Bool {
        guard let limit else { return true }
        let key = FNV1a.hash(recipient)
        // Beyond the known tokens there are only those of senders that guess.
        if minutes.count >= SimulatorLimits.tokens, minutes[key] == nil { minutes = [:] }
        var minute = minutes[key] ?? Minute(from: now, count: 0)
        if now - minute.from >= Self.span { minute = Minute(from: now, count: 0) }
        minute.count += 1
        minutes[key] = minute
        return minute.count <= limit
    }
}
