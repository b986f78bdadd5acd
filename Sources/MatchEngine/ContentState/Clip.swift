// Text of feeds is cut to a length and cleaned of control characters before a phone draws it.

/// Cuts texts.
///
/// Lengths are counted in Unicode scalars, of at most four UTF-8 bytes each.
enum Clip {
    /// Whether a text has no control characters and at most `limit` Unicode scalars.
    static func fits(_ text: String, _ limit: Int) -> Bool {
        // Nearly all text is ASCII, whose bytes are checked much faster than its scalars.
        if text.utf8.allSatisfy({ (0x20..<0x7f).contains($0) }) { return text.utf8.count <= limit }
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            if count > limit || isHidden(scalar) { return false }
        }
        return true
    }

    /// The text without control and direction marks, at most `limit` Unicode scalars; a cut text ends with `…`, and no
    /// character is split.
    static func text(_ text: String, _ limit: Int) -> String {
        if fits(text, limit) { return text }
        let clean = printable(text, upTo: limit + 1)
        if fits(clean, limit) { return clean }
        var cut = ""
        var count = 0
        for character in clean {
            count += character.unicodeScalars.count
            if count > limit - 1 { break }
            cut.append(character)
        }
        while cut.last == " " { cut.removeLast() }
        return cut + "…"
    }

    /// Replaces runs of hidden characters by a space; reads no more than `limit` scalars of output.
    private static func printable(_ text: String, upTo limit: Int) -> String {
        var clean = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            if clean.count >= limit { break }
            if !isHidden(scalar) {
                clean.append(scalar)
            } else if clean.last != " " {
                clean.append(" ")
            }
        }
        return String(clean)
    }

    private static func isHidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0, 0x200e, 0x200f, 0x2028...0x202e, 0x2066...0x2069, 0xfeff: true
        default: false
        }
    }
}
