// Team colours come from feeds; a colour that cannot be read on its background is mixed with white or black.

internal import Foundation
internal import ScoreTypes

/// An opaque colour.
struct ImageColor: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    static let white = ImageColor(0xFFFFFF)
    static let black = ImageColor(0x000000)

    init(_ value: UInt32) {
        red = UInt8(value >> 16 & 0xFF)
        green = UInt8(value >> 8 & 0xFF)
        blue = UInt8(value & 0xFF)
    }

    /// A colour of the form `#rrggbb`; nil for another text.
    init?(hex: String) {
        let digits = hex.utf8.dropFirst().compactMap(Hex.value(of:))
        guard hex.utf8.count == 7, hex.utf8.first == UInt8(ascii: "#"), digits.count == 6 else { return nil }
        self.init(digits.reduce(0) { $0 << 4 | UInt32($1) })
    }

    /// `#rrggbb`.
    var hex: String {
        let digits = Array("0123456789abcdef")
        return "#" + [red, green, blue].map { "\(digits[Int($0 >> 4)])\(digits[Int($0 & 15)])" }.joined()
    }

    /// The colour mixed with a share of another, 0 to 1.
    func mixed(_ other: ImageColor, share: Double) -> ImageColor {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Double(one) + (Double(two) - Double(one)) * share).rounded())
        }
        var color = self
        color.red = mix(red, other.red)
        color.green = mix(green, other.green)
        color.blue = mix(blue, other.blue)
        return color
    }

    /// The relative luminance of WCAG 2.2, 0 to 1.
    var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let value = Double(part) / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    /// The contrast of WCAG 2.2, 1 to 21.
    func contrast(with other: ImageColor) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The nearest mixture with white or black that can be read on all the backgrounds.
    func readable(on backgrounds: [ImageColor]) -> ImageColor {
        func isReadable(_ color: ImageColor) -> Bool {
            backgrounds.allSatisfy { color.contrast(with: $0) >= SurfaceImageLimits.contrastMin }
        }
        let target = ImageColor.white.contrast(with: backgrounds[0]) > ImageColor.black.contrast(with: backgrounds[0])
        for step in 0...20 {
            let color = mixed(target ? .white : .black, share: Double(step) / 20)
            if isReadable(color) { return color }
        }
        return target ? .white : .black
    }
}
