// Start times of matches come from outside as seconds since 1970, and may be any number.

extension Instant {
    /// The span from this instant to a time, limited to a century in both directions.
    ///
    /// - Parameter seconds: Seconds since 1970; any value.
    /// - Returns: The span, negative for a time in the past.
    public func duration(toSeconds seconds: Int64) -> Duration {
        let century: Int64 = 3_155_760_000
        return .seconds(min(max(seconds, self.seconds - century), self.seconds + century) - self.seconds)
    }
}
