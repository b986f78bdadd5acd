// Converts between microseconds since 2000, as in PostgreSQL, and milliseconds since 1970.

internal import ScoreTypes

/// Converts times; numbers out of range never trap.
enum PostgresTime {
    /// 2000-01-01 in milliseconds since 1970.
    private static let origin: Int64 = 946_684_800_000

    /// Microseconds since 2000; times out of range become the nearest that can be represented.
    static func microseconds(of instant: Instant) -> Int64 {
        let (sinceOrigin, before) = instant.milliseconds.subtractingReportingOverflow(origin)
        let (scaled, overflow) = sinceOrigin.multipliedReportingOverflow(by: 1000)
        guard before || overflow else { return scaled }
        return instant.milliseconds < 0 ? .min : .max
    }

    /// Milliseconds since 1970, rounded down.
    static func instant(ofMicroseconds count: Int64) -> Instant {
        let (quotient, remainder) = count.quotientAndRemainder(dividingBy: 1000)
        return Instant(milliseconds: quotient + origin - (remainder < 0 ? 1 : 0))
    }
}
