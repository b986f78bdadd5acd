// All elements of an image are collected with their slots, so that tests can measure them and the SVG is written once.

/// One drawn element.
struct ImageElement: Sendable {
    /// The slot: a named rectangle that the element does not leave.
    let slot: String
    let box: ImageBox
    /// The text as drawn; nil for a shape.
    var text: FittedText?
    /// The colours of the text and of what lies behind it; nil for a shape.
    var colors: (text: ImageColor, behind: [ImageColor])?
    let markup: String
}

/// Collects the elements of one image.
struct ImageCanvas: Sendable {
    enum Alignment: Sendable { case leading, center, trailing }

    let size: ImageSize
    private(set) var elements: [ImageElement] = []
    private(set) var findings: [SurfaceFinding] = []
    private(set) var definitions: Set<String> = []

    init(_ size: ImageSize) { self.size = size }

    mutating func report(_ finding: SurfaceFinding) {
        if !findings.contains(finding) { findings.append(finding) }
    }

    /// A shape filled with a colour or, by its id, with a definition.
    mutating func shape(_ slot: String, _ box: ImageBox, radius: Double = 0, fill: String, more: String = "") {
        let markup =
            radius * 2 >= min(box.width, box.height) - 0.01 || radius < 6
            ? Self.rectangle(box, radius: radius, fill, more)
            : "<path d=\"\(Self.card(box, radius))\" fill=\"\(fill)\"\(more)/>"
        elements.append(ImageElement(slot: slot, box: box, markup: markup))
    }

    /// Adds a gradient; the id has to name the content.
    mutating func define(_ id: String, from top: ImageColor, to bottom: ImageColor, diagonal: Bool = false) -> String {
        definitions.insert(
            "<linearGradient id=\"\(id)\" x1=\"0\" y1=\"0\" x2=\"\(diagonal ? 1 : 0)\" y2=\"1\">"
                + "<stop offset=\"0\" stop-color=\"\(top.hex)\"/><stop offset=\"1\" stop-color=\"\(bottom.hex)\"/>"
                + "</linearGradient>"
        )
        return "url(#\(id))"
    }

    /// Draws one line of text in its slot; returns its measured width.
    @discardableResult
    mutating func text(
        _ text: String,
        _ slot: String,
        _ box: ImageBox,
        _ font: ImageFont,
        _ color: ImageColor,
        on behind: [ImageColor],
        _ alignment: Alignment = .leading
    ) -> Double {
        let fitted = TextFitting.fit(text, font, within: box.width)
        if fitted.isCut { report(.truncated(slot: slot, text: TextFitting.plain(text), shown: fitted.text)) }
        return place(fitted, slot, box, color, on: behind, alignment)
    }

    /// Draws a text that was fitted before.
    @discardableResult
    mutating func place(
        _ fitted: FittedText,
        _ slot: String,
        _ box: ImageBox,
        _ color: ImageColor,
        on behind: [ImageColor],
        _ alignment: Alignment = .leading
    ) -> Double {
        guard !fitted.text.isEmpty else { return 0 }
        let (x, anchor) =
            switch alignment {
            case .leading: (box.x, "")
            case .center: (box.midX, " text-anchor=\"middle\"")
            case .trailing: (box.maxX, " text-anchor=\"end\"")
            }
        // Capitals and digits are 0.71 em high; they stand in the middle of their slot.
        let baseline = box.midY + fitted.font.size * 0.355
        let markup =
            "<text x=\"\(x.svg)\" y=\"\(baseline.svg)\" font-size=\"\(fitted.font.size.svg)\""
            + " font-weight=\"\(fitted.font.weight.rawValue)\" fill=\"\(color.hex)\"\(anchor)>"
            + "\(Self.escaped(fitted.text))</text>"
        elements.append(
            ImageElement(slot: slot, box: box, text: fitted, colors: (color, behind), markup: markup)
        )
        return fitted.width
    }

    /// The elements' markup in their order.
    var markup: String { elements.map(\.markup).joined() }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    private static func rectangle(_ box: ImageBox, radius: Double, _ fill: String, _ more: String) -> String {
        "<rect x=\"\(box.x.svg)\" y=\"\(box.y.svg)\" width=\"\(box.width.svg)\" height=\"\(box.height.svg)\""
            + (radius > 0 ? " rx=\"\(min(radius, box.height / 2, box.width / 2).svg)\"" : "")
            + " fill=\"\(fill)\"\(more)/>"
    }

    /// A rectangle whose corners bend gradually, as those of iOS do.
    private static func card(_ box: ImageBox, _ radius: Double) -> String {
        let extent = min(radius * 1.28, box.width / 2, box.height / 2)
        let pull = extent * 0.25
        func point(_ x: Double, _ y: Double) -> String { "\(x.svg) \(y.svg)" }
        let (left, top, right, bottom) = (box.x, box.y, box.maxX, box.maxY)
        return "M\(point(left + extent, top))H\((right - extent).svg)"
            + "C\(point(right - pull, top)) \(point(right, top + pull)) \(point(right, top + extent))"
            + "V\((bottom - extent).svg)"
            + "C\(point(right, bottom - pull)) \(point(right - pull, bottom)) \(point(right - extent, bottom))"
            + "H\((left + extent).svg)"
            + "C\(point(left + pull, bottom)) \(point(left, bottom - pull)) \(point(left, bottom - extent))"
            + "V\((top + extent).svg)"
            + "C\(point(left, top + pull)) \(point(left + pull, top)) \(point(left + extent, top))Z"
    }
}
