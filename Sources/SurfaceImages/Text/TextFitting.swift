// A text that does not fit its slot is reduced and cut as iOS does it, and the cut is reported.

internal import ScoreTypes

/// A text as it is drawn in a slot.
struct FittedText: Hashable, Sendable {
    let text: String
    let font: ImageFont
    let width: Double
    let isCut: Bool
}

/// Fits texts into widths.
enum TextFitting {
    /// The text without what cannot be drawn: control characters, direction marks, piles of combining marks.
    static func plain(_ text: String) -> String {
        if text.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return text }
        var kept = ""
        for character in SafeText.clean(text) {
            var marks = 0
            var scalars = String.UnicodeScalarView()
            for scalar in character.unicodeScalars where isDrawable(scalar) {
                let isMark = scalar.properties.generalCategory == .nonspacingMark
                marks += isMark ? 1 : 0
                if !isMark || marks <= SurfaceImageLimits.combiningMarks { scalars.append(scalar) }
            }
            kept.unicodeScalars.append(contentsOf: scalars)
        }
        return kept
    }

    /// XML allows neither surrogates nor the last two code points of a plane; private ones have no glyph.
    private static func isDrawable(_ scalar: Unicode.Scalar) -> Bool {
        if scalar.value & 0xFFFE == 0xFFFE { return false }
        switch scalar.properties.generalCategory {
        case .control, .surrogate, .privateUse, .unassigned: return false
        default: return true
        }
    }

    /// Reduces the font down to its least scale, then cuts the end.
    static func fit(_ text: String, _ font: ImageFont, within width: Double) -> FittedText {
        let text = plain(text)
        let full = font.width(of: text)
        if full <= width { return FittedText(text: text, font: font, width: full, isCut: false) }
        let factor = max(font.minimumScale, width / full)
        let small = font.scaled(by: factor)
        let reduced = small.width(of: text)
        if reduced <= width + 0.001 { return FittedText(text: text, font: small, width: reduced, isCut: false) }
        let cut = cut(text, small, within: width)
        return FittedText(text: cut, font: small, width: small.width(of: cut), isCut: true)
    }

    /// Breaks a text at spaces into at most `count` lines; the last one is cut.
    static func wrap(_ text: String, _ font: ImageFont, within width: Double, lines count: Int) -> [FittedText] {
        var lines: [String] = []
        var rest = plain(text).split(separator: " ", omittingEmptySubsequences: true).map(String.init)[...]
        while !rest.isEmpty, lines.count < count {
            var line = rest.removeFirst()
            while let next = rest.first, font.width(of: "\(line) \(next)") <= width {
                line += " \(next)"
                rest.removeFirst()
            }
            lines.append(line)
        }
        if !rest.isEmpty, let last = lines.popLast() { lines.append(([last] + rest).joined(separator: " ")) }
        return lines.map { fit($0, font, within: width) }
    }

    private static func cut(_ text: String, _ font: ImageFont, within width: Double) -> String {
        let room = width - font.width(of: "…")
        var used = 0.0
        var kept = ""
        for character in text.prefix(SurfaceImageLimits.textCharacters) {
            used += font.width(of: String(character))
            if used > room { break }
            kept.append(character)
        }
        while kept.last == " " { kept.removeLast() }
        return font.width(of: "…") <= width ? kept + "…" : ""
    }
}
