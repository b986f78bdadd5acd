// A quota of a client is an amount and the time in which it is renewed.

/// `count` at once, refilled evenly over `per`.
struct Quota: Sendable, Hashable {
    /// The most that can be used at once; 1 or more.
    let count: Int
    /// How long an empty bucket takes to fill.
    let per: Duration

    /// Uses that are refilled in a second.
    var perSecond: Double { Double(count) / (per / .seconds(1)) }
    /// Whole seconds between two uses of a client that never exceeds the quota; 1 or more.
    var spacingSeconds: Int64 { (per / count).secondsRoundedUp }

    init(count: Int, per: Duration) {
        self.count = max(1, count)
        self.per = max(.milliseconds(1), per)
    }

    /// Reads `120/60s`; nil for another form, for nothing at all, or beyond a million in a day.
    init?(_ text: String) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, parts[1].hasSuffix("s"), let count = Int(parts[0]),
            let seconds = Int(parts[1].dropLast()),
            (1...1_000_000).contains(count), (1...86_400).contains(seconds)
        else { return nil }
        self.init(count: count, per: .seconds(seconds))
    }
}
