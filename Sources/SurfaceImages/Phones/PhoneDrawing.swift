// The phone around the surfaces: frame, wallpaper and clock, which are the phone's own and no content of a push.

internal import LiveSurface

/// Draws one phone; the frame stands apart from the surfaces, so that an animation draws it once.
struct PhoneDrawing {
    private static let top = 11.33
    private static let islandHeight = 36.67
    private static let camera = 125.34
    private static let cardInset = 10.0

    let phone: SurfacePhone
    let options: SurfaceImageOptions
    private(set) var definitions: Set<String> = []

    init(phone: SurfacePhone, options: SurfaceImageOptions) {
        self.phone = phone
        self.options = options
    }

    private var palette: ImagePalette { .lockScreen(options.scheme) }
    private var screen: ImageBox {
        ImageBox(SurfacePhone.bezel, SurfacePhone.bezel, options.screen.width, SurfacePhone.screenHeight)
    }

    /// Bezel, wallpaper in the colours of the sides, and clock or icons.
    mutating func frame(_ content: SurfaceContent) -> String {
        let size = SurfacePhone.size(options)
        var canvas = ImageCanvas(size)
        let colors = palette.wallpaper
        let fill = canvas.define("screen-\(palette.name)", from: colors[0], to: colors[1], diagonal: true)
        let body = ImageBox(1, 1, size.width - 2, size.height - 2)
        canvas.shape("bezel", body, radius: 60, fill: "#05060a", more: " stroke=\"#3d414c\" stroke-width=\"2\"")
        canvas.shape("wallpaper", screen, radius: SurfacePhone.cornerRadius, fill: fill)
        definitions.formUnion(canvas.definitions)
        var markup = canvas.markup + glows(content)
        switch phone {
        case .locked: markup += clock()
        case .inUse: markup += icons()
        }
        return markup
    }

    /// A soft light in the colour of each side; the same shape as the screen, so that nothing leaves it.
    private mutating func glows(_ content: SurfaceContent) -> String {
        let teams = content.attributes?.teams.prefix(2) ?? []
        var markup = ""
        for (index, team) in teams.enumerated() where options.scheme != .alwaysOn {
            guard let color = team.color.flatMap(ImageColor.init(hex:)) else { continue }
            let id = "glow-\(index)-\(color.hex.dropFirst())"
            definitions.insert(
                "<radialGradient id=\"\(id)\" cx=\"\(index)\" cy=\"\(index == 0 ? "0.18" : "0.72")\" r=\"0.75\">"
                    + "<stop offset=\"0\" stop-color=\"\(color.hex)\" stop-opacity=\"0.5\"/>"
                    + "<stop offset=\"1\" stop-color=\"\(color.hex)\" stop-opacity=\"0\"/></radialGradient>"
            )
            var canvas = ImageCanvas(SurfacePhone.size(options))
            canvas.shape("wallpaper", screen, radius: SurfacePhone.cornerRadius, fill: "url(#\(id))")
            markup += canvas.markup
        }
        return markup
    }

    private func clock() -> String {
        let middle = (screen.midX).svg
        let color = palette.caption.hex
        return "<text x=\"\(middle)\" y=\"178\" font-size=\"92\" font-weight=\"600\" letter-spacing=\"-2\""
            + " fill=\"\(color)\" text-anchor=\"middle\">9:41</text>"
    }

    private func icons() -> String {
        let (size, columns) = (62.0, 4)
        let gap = (screen.width - 2 * 26 - size * Double(columns)) / Double(columns - 1)
        let color = palette.caption.hex
        var markup = ""
        for row in 0..<4 {
            for column in 0..<columns {
                let x = screen.x + 26 + Double(column) * (size + gap)
                let y = screen.y + 84 + Double(row) * (size + 34)
                markup += Self.shade(ImageBox(x, y, size, size), radius: 15, color, 0.13)
                let label = ImageBox(x + 12, y + size + 8, size - 24, 6)
                markup += Self.shade(label, radius: 3, color, 0.13)
            }
        }
        let dock = ImageBox(screen.x + 13, screen.maxY - 97, screen.width - 26, 84)
        markup += Self.shade(dock, radius: 32, color, 0.1)
        for column in 0..<columns {
            let icon = ImageBox(screen.x + 26 + Double(column) * (size + gap), dock.y + 11, size, size)
            markup += Self.shade(icon, radius: 15, color, 0.18)
        }
        return markup
    }

    /// A shape that lets the wallpaper through.
    private static func shade(_ box: ImageBox, radius: Double, _ color: String, _ opacity: Double) -> String {
        "<rect x=\"\(box.x.svg)\" y=\"\(box.y.svg)\" width=\"\(box.width.svg)\" height=\"\(box.height.svg)\""
            + " rx=\"\(radius.svg)\" fill=\"\(color)\" fill-opacity=\"\(opacity.svg)\"/>"
    }

    /// The card and the alert of a locked phone, or the island of a phone in use.
    mutating func surfaces(_ content: SurfaceContent, isMoving: Bool) -> String {
        switch phone {
        case .locked: locked(content, isMoving)
        case .inUse: inUse(content, isMoving)
        }
    }

    private mutating func locked(_ content: SurfaceContent, _ isMoving: Bool) -> String {
        let card = SurfaceImage.render(content, .lockScreen, options)
        let y = screen.maxY - Self.cardInset - card.canvas.size.height
        var markup = part(card, screen.x, y)
        guard content.alert != nil else { return markup }
        let banner = SurfaceImage.render(content, .banner, options)
        let alert = part(banner, screen.x, y - banner.canvas.size.height + 12)
        markup += isMoving ? Self.fallingIn(alert) : alert
        return markup
    }

    private mutating func inUse(_ content: SurfaceContent, _ isMoving: Bool) -> String {
        guard content.alert != nil else {
            return part(SurfaceImage.render(content, .compact, options), screen.x, screen.y)
        }
        let island = part(SurfaceImage.render(content, .expanded, options), screen.x, screen.y)
        return isMoving ? Self.growing(island, around: screen.midX, screen.y + Self.top) : island
    }

    /// The camera of a locked phone, over everything else.
    func lockedIsland() -> String {
        guard phone == .locked else { return "" }
        var canvas = ImageCanvas(SurfacePhone.size(options))
        let pill = ImageBox(screen.midX - Self.camera / 2, screen.y + Self.top, Self.camera, Self.islandHeight)
        canvas.shape("island", pill, radius: 22, fill: "#000000")
        return canvas.markup
    }

    /// A surface without the wallpaper behind it.
    private mutating func part(_ image: SurfaceImage, _ x: Double, _ y: Double) -> String {
        definitions.formUnion(image.canvas.definitions.filter { !$0.contains("id=\"wallpaper-") })
        let shapes = image.canvas.elements.filter { $0.slot != "wallpaper" }.map(\.markup).joined()
        return "<g transform=\"translate(\(x.svg) \(y.svg))\">\(shapes)</g>"
    }

    private static func fallingIn(_ markup: String) -> String {
        "<g>\(markup)<animateTransform attributeName=\"transform\" type=\"translate\" dur=\"0.5s\""
            + " values=\"0 -70;0 4;0 0\" keyTimes=\"0;0.7;1\"/>"
            + "<animate attributeName=\"opacity\" dur=\"0.35s\" values=\"0;1\"/></g>"
    }

    private static func growing(_ markup: String, around x: Double, _ y: Double) -> String {
        "<g transform=\"translate(\(x.svg) \(y.svg))\"><g>"
            + "<g transform=\"translate(\((-x).svg) \((-y).svg))\">\(markup)</g>"
            + "<animateTransform attributeName=\"transform\" type=\"scale\" dur=\"0.5s\""
            + " values=\"0.62 0.24;1.02 1.02;1 1\" keyTimes=\"0;0.7;1\"/></g></g>"
    }
}
