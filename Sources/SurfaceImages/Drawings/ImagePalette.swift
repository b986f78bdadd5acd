// The colours of each appearance; every text colour is readable on the surface of its palette.

/// The colours of one appearance.
struct ImagePalette: Sendable {
    let name: String
    /// Behind the surface, from top to bottom.
    let wallpaper: [ImageColor]
    /// The surface, from top to bottom.
    let surface: [ImageColor]
    let primary: ImageColor
    let secondary: ImageColor
    let alarm: ImageColor
    let accent: ImageColor
    let chip: ImageColor
    let chipText: ImageColor
    let wicket: ImageColor
    let four: ImageColor
    let six: ImageColor
    /// The text on wickets and boundaries.
    let strongText: ImageColor

    /// The text on the wallpaper.
    var caption: ImageColor { ImageColor.white.readable(on: wallpaper) }

    private static func dark(_ name: String, wallpaper: [UInt32], surface: [UInt32], chip: UInt32) -> ImagePalette {
        ImagePalette(
            name: name,
            wallpaper: wallpaper.map { ImageColor($0) },
            surface: surface.map { ImageColor($0) },
            primary: .white,
            secondary: ImageColor(0xA8A8B0),
            alarm: ImageColor(0xFF7A73),
            accent: ImageColor(0x5BD97F),
            chip: ImageColor(chip),
            chipText: .white,
            wicket: ImageColor(0xD70015),
            four: ImageColor(0x0A5FCE),
            six: ImageColor(0x7F3FB0),
            strongText: .white
        )
    }

    static let island = dark("island", wallpaper: [0x39456B, 0x232A47], surface: [0, 0], chip: 0x2C2C2E)
    static let standby = dark("standby", wallpaper: [0, 0], surface: [0, 0], chip: 0x2C2C2E)
    static let small = dark("small", wallpaper: [0x16171B, 0x101114], surface: [0x2A2B31, 0x202126], chip: 0x3A3A3F)
    static let night = dark("dark", wallpaper: [0x333E63, 0x131729], surface: [0x2C2D35, 0x202127], chip: 0x41424B)

    static let day = ImagePalette(
        name: "light",
        wallpaper: [ImageColor(0xC7D4EA), ImageColor(0x9FB2D4)],
        surface: [ImageColor(0xFAFAFC), ImageColor(0xF0F0F5)],
        primary: .black,
        secondary: ImageColor(0x5E5E66),
        alarm: ImageColor(0xB3000F),
        accent: ImageColor(0x116B32),
        chip: ImageColor(0xDEDEE5),
        chipText: ImageColor(0x1C1C1E),
        wicket: ImageColor(0xD70015),
        four: ImageColor(0x0A5FCE),
        six: ImageColor(0x7F3FB0),
        strongText: .white
    )

    static let alwaysOn = ImagePalette(
        name: "always-on",
        wallpaper: [ImageColor(0x000000), ImageColor(0x000000)],
        surface: [ImageColor(0x121216), ImageColor(0x0B0B0E)],
        primary: ImageColor(0xB8B8BE),
        secondary: ImageColor(0x86868D),
        alarm: ImageColor(0xC4706B),
        accent: ImageColor(0x5D9F70),
        chip: ImageColor(0x222226),
        chipText: ImageColor(0xB8B8BE),
        wicket: ImageColor(0x6E0F16),
        four: ImageColor(0x153C6C),
        six: ImageColor(0x432658),
        strongText: ImageColor(0xD0D0D4)
    )

    static func lockScreen(_ scheme: SurfaceScheme) -> ImagePalette {
        switch scheme {
        case .light: day
        case .dark: night
        case .alwaysOn: alwaysOn
        }
    }
}
