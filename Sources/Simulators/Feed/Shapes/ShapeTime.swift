// Providers write times as texts.

internal import ScoreTypes

/// Writes times.
enum ShapeTime {
    /// `2026-10-09T13:01:52.000000Z` of seconds since 1970.
    static func iso(_ seconds: Int64) -> String {
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let rest = seconds - days * 86_400
        return "\(ISO8601.day(days))T\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)).000000Z"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
