// The rules for single values, in one place, so that making a snapshot and reading one cannot differ.

/// Checks of single values; each names the key it was asked about.
enum SurfaceRule {
    /// Most UTF-16 units of the text beside a lock accessory's gauge.
    static let shortTextMax = 20
    /// The largest integer that a JavaScript consumer reads exactly, 2^53 - 1.
    static let integerMax = 9_007_199_254_740_991

    static func filled(_ text: String, _ key: String) throws(SurfaceError) {
        guard text.isEmpty else { return }
        throw SurfaceError(path: key, problem: .wrongValue, expected: "a text of at least one character")
    }

    static func filledIfPresent(_ text: String?, _ key: String) throws(SurfaceError) {
        if let text { try filled(text, key) }
    }

    static func share(_ value: Double?, _ key: String) throws(SurfaceError) {
        guard let value, !(value >= 0 && value <= 1) else { return }
        throw SurfaceError(path: key, problem: .wrongValue, expected: "a number from 0 to 1")
    }

    static func count(_ value: Int?, _ key: String) throws(SurfaceError) {
        guard let value, !(0...integerMax).contains(value) else { return }
        throw SurfaceError(path: key, problem: .wrongValue, expected: "a whole number from 0 to 2^53 - 1")
    }

    static func short(_ text: String?, _ key: String) throws(SurfaceError) {
        guard let text, text.utf16.count > shortTextMax else { return }
        throw SurfaceError(path: key, problem: .wrongValue, expected: "a text of at most \(shortTextMax) UTF-16 units")
    }

    /// A lower-case scheme and `://`; nothing is asked of what follows.
    static func link(_ text: String, _ key: String) throws(SurfaceError) {
        let bytes = Array(text.utf8)
        var end = 0
        while end < bytes.count, isSchemeByte(bytes[end], first: end == 0) { end += 1 }
        guard end > 0, bytes[end...].starts(with: Array("://".utf8)) else {
            throw SurfaceError(path: key, problem: .wrongValue, expected: "a link with a lower-case scheme and ://")
        }
    }

    private static func isSchemeByte(_ byte: UInt8, first: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."): !first
        default: false
        }
    }
}
