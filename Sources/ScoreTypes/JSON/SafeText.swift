// Names and notes of a provider are shown on Lock Screens and in the console; none may control how they are drawn.

/// Removes from a text of a provider what controls its display.
public enum SafeText {
    /// Removes control characters, direction overrides and invisible marks, and cuts the text after 200 characters.
    public static func clean(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { (0x20..<0x7f).contains($0) }
        if isPlain && text.utf8.count <= TypeLimits.safeTextCharacters { return text }
        var kept = String.UnicodeScalarView()
        for scalar in text.unicodeScalars where !isControl(scalar) { kept.append(scalar) }
        return String(String(kept).prefix(TypeLimits.safeTextCharacters))
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7f..<0xa0: true
        // Zero-width space, direction marks, line separators, overrides, isolates, byte order mark.
        case 0x200b, 0x200e, 0x200f, 0x2028...0x202e, 0x2060...0x206f, 0xfeff: true
        default: false
        }
    }
}
