// Providers write times as texts; the shapes need the few forms that the adapters read.

/// Writes times.
enum ShapeTime {
    /// `2026-10-09T13:01:52.000000Z` of seconds since 1970.
    static func iso(_ seconds: Int64) -> String {
        let days = (seconds >= 0 ? seconds : seconds - 86_399) / 86_400
        let rest = seconds - days * 86_400
        return "\(day(days))T\(two(rest / 3_600)):\(two(rest / 60 % 60)):\(two(rest % 60)).000000Z"
    }

    /// `yyyy-mm-dd` of days since 1970, by the civil calendar counted in years that begin in March.
    static func day(_ days: Int64) -> String {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marched = (5 * dayOfYear + 2) / 153
        let month = marched < 10 ? marched + 3 : marched - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(year)-\(two(month))-\(two(dayOfYear - (153 * marched + 2) / 5 + 1))"
    }

    private static func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
