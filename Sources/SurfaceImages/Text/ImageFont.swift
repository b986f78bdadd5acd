// Widths of text are measured without the device's font, which may not be distributed.

internal import Foundation

/// A font of the system at a size.
struct ImageFont: Hashable, Sendable {
    enum Weight: Int, Sendable { case regular = 400, medium = 500, semibold = 600, bold = 700, heavy = 800 }

    var size: Double
    var weight = Weight.regular
    /// Whether a smaller size is used, down to this factor, before the text is cut; 1 for never.
    var minimumScale = 1.0

    init(_ size: Double, _ weight: Weight = .regular, minimumScale: Double = 1) {
        self.size = size
        self.weight = weight
        self.minimumScale = minimumScale
    }

    func scaled(by factor: Double) -> ImageFont {
        var font = self
        font.size *= factor
        return font
    }

    /// An upper estimate of the width of a text in points.
    func width(of text: String) -> Double {
        var ems = 0.0
        for character in text { ems += TextWidths.ems(of: character) }
        let boldness =
            switch weight {
            case .regular: 1.0
            case .medium: 1.02
            case .semibold: 1.04
            case .bold: 1.065
            case .heavy: 1.09
            }
        return ems * boldness * size * SurfaceImageLimits.widthSafety
    }
}

/// Widths of characters in ems: measured of Inter and SF Pro at regular weight, the larger of both.
enum TextWidths {
    private static let letters: [Character: Double] = [
        " ": 0.28, "!": 0.30, "'": 0.26, ",": 0.29, "-": 0.46, ".": 0.29, "/": 0.38, ":": 0.29, ";": 0.30, "|": 0.30,
        "(": 0.37, ")": 0.37, "*": 0.51, "&": 0.66, "+": 0.66, "…": 0.88, "·": 0.30, "–": 0.58, "—": 0.86, "%": 0.94,
        "A": 0.70, "B": 0.66, "C": 0.74, "D": 0.73, "E": 0.61, "F": 0.60, "G": 0.76, "H": 0.75, "I": 0.28, "J": 0.57,
        "K": 0.68, "L": 0.58, "M": 0.90, "N": 0.76, "O": 0.78, "P": 0.64, "Q": 0.78, "R": 0.66, "S": 0.65, "T": 0.65,
        "U": 0.74, "V": 0.70, "W": 1.01, "X": 0.69, "Y": 0.68, "Z": 0.64,
        "a": 0.57, "b": 0.62, "c": 0.57, "d": 0.62, "e": 0.59, "f": 0.38, "g": 0.62, "h": 0.60, "i": 0.25, "j": 0.26,
        "k": 0.56, "l": 0.26, "m": 0.89, "n": 0.60, "o": 0.61, "p": 0.62, "q": 0.62, "r": 0.39, "s": 0.54, "t": 0.38,
        "u": 0.60, "v": 0.57, "w": 0.82, "x": 0.56, "y": 0.57, "z": 0.56,
        "0": 0.65, "1": 0.65, "2": 0.65, "3": 0.65, "4": 0.65, "5": 0.65, "6": 0.65, "7": 0.65, "8": 0.65, "9": 0.65,
    ]

    /// The width of a character with its combining marks.
    static func ems(of character: Character) -> Double {
        if let width = letters[character] { return width }
        guard let first = character.unicodeScalars.first else { return 0 }
        // A letter with an accent is as wide as the letter.
        if let base = String(character).decomposedLetter, let width = letters[base] { return width }
        // Each scalar that is no mark counts, since a conjunct of a font without it is drawn in parts.
        var width = 0.0
        for scalar in character.unicodeScalars { width += ems(of: scalar) }
        return first.properties.isEmojiPresentation ? max(1.3, min(width, 1.4)) : max(width, 0.3)
    }

    private static func ems(of scalar: Unicode.Scalar) -> Double {
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: break
        }
        switch scalar.value {
        case 0xFDFA...0xFDFD: return 9
        case 0x12000...0x1254F: return 3
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60:
            return 1.02
        case 0x1F000...0x1FAFF, 0x2600...0x27BF, 0x1F1E6...0x1F1FF: return 1.3
        case 0x20000...0x3FFFF: return 1.02
        default: return 1
        }
    }
}

extension String {
    /// The letter of the Latin alphabet below the accents of one character; nil without one.
    fileprivate var decomposedLetter: Character? {
        let scalars = decomposedStringWithCanonicalMapping.unicodeScalars
        guard let first = scalars.first, first.isASCII, first.properties.isAlphabetic,
            scalars.dropFirst().allSatisfy({ $0.properties.generalCategory == .nonspacingMark })
        else { return nil }
        return Character(first)
    }
}
