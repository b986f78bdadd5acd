// The rules for single values, so that creating and decoding a snapshot apply the same ones.

/// Checks of single values; each throws a `SurfaceError` with the given key.
enum SurfaceRule {
    static func filled(_ text: String?, _ key: String) throws(SurfaceError) {
        guard text?.isEmpty == true else { return }
        throw SurfaceError(path: key, problem: .wrongValue, expected: "a text of at least one character")
    }

    static func share(_ value: Double?, _ key: String) throws(SurfaceError) {
        guard let value, !(value >= 0 && value <= 1) else { return }
        throw SurfaceError(path: key, problem: .wrongValue, expected: "a number from 0 to 1")
    }

    static func count(_ value: Int?, _ key: String) throws(SurfaceError) {
        guard let value, !(0...SurfaceLimits.largestInteger).contains(value) else { return }
        throw SurfaceError(path: key, problem: .wrongValue, expected: "a whole number from 0 to 2^53 - 1")
    }

    static func short(_ text: String?, _ key: String) throws(SurfaceError) {
        guard let text, text.utf16.count > SurfaceLimits.shortTextUnits else { return }
        throw SurfaceError(
            path: key,
            problem: .wrongValue,
            expected: "a text of at most \(SurfaceLimits.shortTextUnits) UTF-16 units"
        )
    }

    /// A lower-case scheme and `://`; the remainder is not checked.
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
