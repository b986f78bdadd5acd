// All layouts of a state, or many states, in one document, so that they can be compared at once.

public import ScoreTypes

/// A sheet of images: rows of labelled images, one state a row.
public struct SurfaceSheet: Sendable {
    /// A row of a sheet.
    public struct Row: Sendable {
        /// The heading.
        public let title: String
        /// Bytes of the content state.
        public let byteCount: Int
        /// The images with their labels.
        public let images: [(label: String, image: SurfaceImage)]

        /// Makes a row.
        public init(title: String, byteCount: Int, images: [(label: String, image: SurfaceImage)]) {
            self.title = title
            self.byteCount = byteCount
            self.images = images
        }
    }

    private static let margin = 28.0
    private static let gap = 20.0
    private static let labelHeight = 20.0
    private static let headingHeight = 40.0
    private static let meterWidth = 160.0
    private static let ink = ImageColor(0xF2F2F7)
    private static let paper = ImageColor(0x0E0F13)
    private static let dim = ImageColor(0x9C9CA5)

    private let rows: [Row]
    /// Width at which images continue on the next line.
    private let lineWidth: Double

    /// Makes a sheet; rows beyond the limit are omitted.
    ///
    /// - Parameters:
    ///   - rows: The rows from top to bottom.
    ///   - lineWidth: Width in points at which the images of a row continue on a new line.
    public init(_ rows: [Row], lineWidth: Double = 1_290) {
        self.rows = Array(rows.prefix(SurfaceImageLimits.sheetStates))
        self.lineWidth = lineWidth
    }

    /// Every layout of one state, the Lock Screen in its three appearances.
    public static func everyLayout(of content: SurfaceContent, title: String, _ options: SurfaceImageOptions) -> Row {
        var images: [(label: String, image: SurfaceImage)] = []
        for layout in SurfaceLayout.allCases {
            let schemes = layout == .lockScreen ? SurfaceScheme.allCases : [options.scheme]
            for scheme in schemes {
                var options = options
                options.scheme = scheme
                let label = layout == .lockScreen ? "\(layout.title), \(scheme.rawValue)" : layout.title
                images.append((label, SurfaceImage.render(content, layout, options)))
            }
        }
        return Row(title: title, byteCount: content.byteCount, images: images)
    }

    /// The main layouts of one state.
    public static func mainLayouts(of content: SurfaceContent, title: String, _ options: SurfaceImageOptions) -> Row {
        let layouts: [SurfaceLayout] = [.compact, .lockScreen, .expanded]
        return Row(
            title: title,
            byteCount: content.byteCount,
            images: layouts.map { ($0.title, SurfaceImage.render(content, $0, options)) }
        )
    }

    /// The whole document.
    public var svg: String {
        var body = ""
        var definitions: Set<String> = []
        var y = Self.margin
        for row in rows {
            body += heading(row, y)
            y += Self.headingHeight
            var x = Self.margin
            var height = 0.0
            for (label, image) in row.images {
                if x > Self.margin, x + image.width > lineWidth {
                    y += height + Self.gap
                    (x, height) = (Self.margin, 0)
                }
                body += Self.line(label, x, y + 10, 12, .medium, Self.dim, within: max(80, image.width))
                body += image.body(x: x, y: y + Self.labelHeight)
                definitions.formUnion(image.canvas.definitions)
                height = max(height, image.height + Self.labelHeight)
                x += image.width + Self.gap
            }
            y += height + Self.margin
        }
        let width = lineWidth + Self.margin
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width.svg)\" height=\"\(y.svg)\""
            + " viewBox=\"0 0 \(width.svg) \(y.svg)\" role=\"img\" font-family=\"\(SurfaceImage.fonts)\""
            + " font-variant=\"tabular-nums\"><title>Live Activity, \(rows.count) states</title>"
            + "<desc>Approximation; the device decides font, size and dimming.</desc>"
            + SurfaceImage.definitions(definitions)
            + "<rect width=\"100%\" height=\"100%\" fill=\"\(Self.paper.hex)\"/>" + body + "</svg>\n"
    }

    /// Title, and the meter of the state's bytes.
    private func heading(_ row: Row, _ y: Double) -> String {
        let meter = lineWidth - Self.meterWidth
        let share = min(1, Double(row.byteCount) / Double(SurfaceImageLimits.payloadBytes))
        let bytes = "\(row.byteCount) of \(SurfaceImageLimits.payloadBytes) bytes"
        return Self.line(row.title, Self.margin, y + 12, 19, .bold, Self.ink, within: meter - 170)
            + Self.line(bytes, meter - 150, y + 12, 12.5, .medium, Self.dim, within: 144)
            + "<rect x=\"\(meter.svg)\" y=\"\((y + 9).svg)\" width=\"\(Self.meterWidth.svg)\" height=\"6\" rx=\"3\""
            + " fill=\"#2c2c32\"/><rect x=\"\(meter.svg)\" y=\"\((y + 9).svg)\""
            + " width=\"\((Self.meterWidth * share).svg)\" height=\"6\" rx=\"3\" fill=\"#5bd97f\"/>"
    }

    private static func line(
        _ text: String,
        _ x: Double,
        _ middle: Double,
        _ size: Double,
        _ weight: ImageFont.Weight,
        _ color: ImageColor,
        within width: Double
    ) -> String {
        let fitted = TextFitting.fit(text, ImageFont(size, weight, minimumScale: 0.8), within: width)
        return "<text x=\"\(x.svg)\" y=\"\((middle + fitted.font.size * 0.355).svg)\""
            + " font-size=\"\(fitted.font.size.svg)\" font-weight=\"\(weight.rawValue)\" fill=\"\(color.hex)\">"
            + "\(ImageCanvas.escaped(fitted.text))</text>"
    }

    /// Writes the images with their findings as the members of a JSON object.
    public func write(to json: inout JSONWriter) {
        json.field("bytes", rows.first?.byteCount ?? 0)
        json.field("bytesMax", SurfaceImageLimits.payloadBytes)
        json.objects("images", rows.flatMap(\.images)) { item, json in
            json.field("layout", item.image.layout.rawValue)
            json.field("title", item.label)
            json.field("width", Int(item.image.width.rounded(.up)))
            json.field("height", Int(item.image.height.rounded(.up)))
            json.objects("findings", item.image.findings) { $0.write(to: &$1) }
            json.field("svg", item.image.svg)
        }
    }
}
