// Postgres counts microseconds from 2000, we count milliseconds from 1970.

internal import ScoreTypes

/// Turns wall time into Postgres's and back, without ever trapping on foreign numbers.
enum PostgresTime {
    /// 2000-01-01 in milliseconds since 1970.
    private static let origin: Int64 = 946_684_800_000

    /// Microseconds since 2000; times that do not fit become the nearest that does.
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
