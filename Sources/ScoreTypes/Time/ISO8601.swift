// Every row of some replies has a time as text: it is read without Foundation, which is many times slower.

/// Reads and writes times such as `2026-10-09T13:01:52.000000Z`.
public enum ISO8601 {
    /// Milliseconds since 1970, nil for a text of another form; a text without a zone counts as UTC.
    public static func milliseconds(_ text: String) -> Int64? {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count >= 16, let date = date(bytes) else { return nil }
            guard let hour = number(bytes, 11, 2), let minute = number(bytes, 14, 2), bytes[13] == UInt8(ascii: ":"),
                hour < 24, minute < 60
            else { return nil }
            // Where there are no seconds the zone follows at once.
            let hasSeconds = bytes.count > 16 && bytes[16] == UInt8(ascii: ":")
            guard let second = hasSeconds ? number(bytes, 17, 2) : 0, second <= 60 else { return nil }
            guard let (fraction, end) = hasSeconds ? fraction(bytes) : (0, 16), let offset = zone(bytes, from: end)
            else { return nil }
            let seconds = date * 86_400 + hour * 3_600 + minute * 60 + second - offset
            return seconds * 1_000 + fraction
        }
    }

    /// Seconds since 1970.
    public static func seconds(_ text: String) -> Int64? {
        milliseconds(text).map { Int64((Double($0) / 1_000).rounded(.down)) }
    }

    /// `yyyy-mm-dd` of days since 1970.
    public static func day(_ days: Int64) -> String {
        let (year, month, day) = civil(days)
        func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(year)-\(two(month))-\(two(day))"
    }

    /// Days since 1970 of the date at the front.
    private static func date(_ bytes: UnsafeBufferPointer<UInt8>) -> Int64? {
        guard let year = number(bytes, 0, 4), let month = number(bytes, 5, 2), let day = number(bytes, 8, 2),
            bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"), (1...12).contains(month),
            (1...31).contains(day), bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " ")
        else { return nil }
        return days(year, month, day)
    }

    /// The thousandths behind the seconds, and where the zone begins.
    private static func fraction(_ bytes: UnsafeBufferPointer<UInt8>) -> (Int64, Int)? {
        guard bytes.count > 19, bytes[19] == UInt8(ascii: ".") else { return (0, 19) }
        var end = 20
        var value: Int64 = 0
        while end < bytes.count, let digit = digit(bytes[end]) {
            if end < 23 { value = value * 10 + digit }
            end += 1
        }
        guard end > 20, end <= 30 else { return nil }
        for _ in end..<max(end, 23) { value *= 10 }
        return (value, end)
    }

    /// Seconds that the zone is ahead of UTC: `Z`, `+05:30`, `+0530` or `+05`.
    private static func zone(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int64? {
        if start == bytes.count { return 0 }
        if bytes[start] == UInt8(ascii: "Z") { return start + 1 == bytes.count ? 0 : nil }
        let length = bytes.count - start
        let hasColon = length == 6 && bytes[start + 3] == UInt8(ascii: ":")
        guard hasColon || length == 5 || length == 3, let hours = number(bytes, start + 1, 2),
            let minutes = length == 3 ? 0 : number(bytes, bytes.count - 2, 2)
        else { return nil }
        let offset = hours * 3_600 + minutes * 60
        switch bytes[start] {
        case UInt8(ascii: "+"): return offset
        case UInt8(ascii: "-"): return -offset
        default: return nil
        }
    }

    private static func number(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int, _ count: Int) -> Int64? {
        var value: Int64 = 0
        for index in start..<start + count {
            guard index < bytes.count, let digit = digit(bytes[index]) else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private static func digit(_ byte: UInt8) -> Int64? {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) ? Int64(byte - UInt8(ascii: "0")) : nil
    }

    /// Days since 1970 of a date of the Gregorian calendar, counted in years that begin in March.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func civil(_ days: Int64) -> (Int64, Int64, Int64) {
        let shifted = days + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let marched = (5 * dayOfYear + 2) / 153
        let month = marched < 10 ? marched + 3 : marched - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * marched + 2) / 5 + 1)
    }
}
