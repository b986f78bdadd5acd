// The time of a snapshot: strict RFC 3339, parsed without Foundation.

/// An instant as RFC 3339 text with seconds and zone, comparable across zones.
public struct SurfaceTime: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The text as it was decoded.
    public let description: String
    /// Whole seconds since 1970, UTC.
    public let secondsSince1970: Int64
    /// Digits of the fraction without trailing zeros.
    private let fraction: [UInt8]

    static let expectation = "an RFC 3339 time with seconds and zone, such as 2026-05-12T18:30:00Z"

    /// Reads `yyyy-mm-ddThh:mm:ss[.f…](Z|±hh:mm)`.
    ///
    /// - Parameter text: RFC 3339 in upper case, without leap seconds; the day has to exist.
    /// - Throws: `SurfaceError` for another form.
    public init(_ text: String) throws(SurfaceError) {
        var scan = TimeScan(text)
        guard let date = scan.date(), scan.skip("T"), let clock = scan.clock(), let fraction = scan.fraction(),
            let offset = scan.zone(), scan.isAtEnd
        else { throw SurfaceError(path: "", problem: .wrongValue, expected: Self.expectation) }
        description = text
        secondsSince1970 = date * 86_400 + clock - offset
        self.fraction = fraction
    }

    /// Formats an instant in UTC.
    ///
    /// - Parameter seconds: Seconds since 1970; instants outside the years 0 to 9999 become the nearer bound.
    public init(secondsSince1970 seconds: Int64) {
        let bounded = min(max(seconds, SurfaceLimits.seconds.lowerBound), SurfaceLimits.seconds.upperBound)
        let day = bounded >= 0 ? bounded / 86_400 : (bounded - 86_399) / 86_400
        let second = bounded - day * 86_400
        let (year, month, dayOfMonth) = CivilDay.date(day)
        let clock = [second / 3_600, second / 60 % 60, second % 60].map { Self.padded($0, 2) }.joined(separator: ":")
        description = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(dayOfMonth, 2))T\(clock)Z"
        secondsSince1970 = bounded
        fraction = []
    }

    private static func padded(_ number: Int64, _ width: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, width - text.count)) + text
    }

    /// Orders by instant, independent of the zones.
    public static func < (left: SurfaceTime, right: SurfaceTime) -> Bool {
        if left.secondsSince1970 != right.secondsSince1970 { return left.secondsSince1970 < right.secondsSince1970 }
        return left.fraction.lexicographicallyPrecedes(right.fraction)
    }

    /// Whether both are the same instant; `18:30:00Z` equals `20:30:00.0+02:00`.
    public static func == (left: SurfaceTime, right: SurfaceTime) -> Bool {
        left.secondsSince1970 == right.secondsSince1970 && left.fraction == right.fraction
    }

    /// Hashes the instant.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(secondsSince1970)
        hasher.combine(fraction)
    }
}

extension SurfaceTime: Codable {
    /// Decodes the text.
    ///
    /// - Throws: `SurfaceError` for another form; `DecodingError` for another type.
    public init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    /// Encodes the text as it was decoded.
    ///
    /// - Throws: The encoder's errors.
    public func encode(to encoder: any Encoder) throws {
        var value = encoder.singleValueContainer()
        try value.encode(description)
    }
}

/// A cursor over the bytes of a time.
private struct TimeScan {
    private let bytes: [UInt8]
    private var place = 0

    init(_ text: String) { bytes = Array(text.utf8) }

    var isAtEnd: Bool { place == bytes.count }

    mutating func skip(_ scalar: Unicode.Scalar) -> Bool {
        guard place < bytes.count, bytes[place] == UInt8(ascii: scalar) else { return false }
        place += 1
        return true
    }

    mutating func number(_ digits: Int, _ range: ClosedRange<Int64>) -> Int64? {
        guard place + digits <= bytes.count else { return nil }
        var value: Int64 = 0
        for byte in bytes[place..<place + digits] {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            value = value * 10 + Int64(byte - UInt8(ascii: "0"))
        }
        place += digits
        return range.contains(value) ? value : nil
    }

    mutating func date() -> Int64? {
        guard let year = number(4, 0...9999), skip("-"), let month = number(2, 1...12), skip("-"),
            let day = number(2, 1...CivilDay.length(month: month, year: year))
        else { return nil }
        return CivilDay.number(year: year, month: month, day: day)
    }

    mutating func clock() -> Int64? {
        guard let hour = number(2, 0...23), skip(":"), let minute = number(2, 0...59), skip(":"),
            let second = number(2, 0...59)
        else { return nil }
        return hour * 3_600 + minute * 60 + second
    }

    /// The digits; empty without a fraction, nil for a point without a digit.
    mutating func fraction() -> [UInt8]? {
        guard skip(".") else { return [] }
        var digits: [UInt8] = []
        while place < bytes.count, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[place]) {
            digits.append(bytes[place])
            place += 1
        }
        if digits.isEmpty { return nil }
        while digits.last == UInt8(ascii: "0") { digits.removeLast() }
        return digits
    }

    mutating func zone() -> Int64? {
        if skip("Z") { return 0 }
        let isWest = skip("-")
        guard isWest || skip("+"), let hour = number(2, 0...23), skip(":"), let minute = number(2, 0...59) else {
            return nil
        }
        return (hour * 3_600 + minute * 60) * (isWest ? -1 : 1)
    }
}
