// A whole match as one moving SVG: island and Lock Screen change with every ball, alerts arrive as banners.

/// The frames of a match.
public struct SurfaceAnimation: Sendable {
    private static let cornerRadius = 40.0

    private let frames: [SurfaceContent]
    private let options: SurfaceImageOptions
    /// Seconds of an ordinary frame, and of one with an alert.
    private let seconds: (ball: Double, alert: Double)

    /// Makes an animation; frames beyond the limit are omitted.
    ///
    /// - Parameters:
    ///   - frames: The states in order.
    ///   - seconds: Seconds for which a state is shown; one with an alert is shown four times as long.
    ///   - options: Screen and appearance.
    public init(_ frames: [SurfaceContent], seconds: Double = 0.5, _ options: SurfaceImageOptions) {
        self.frames = Array(frames.prefix(SurfaceImageLimits.animationFrames))
        self.options = options
        self.seconds = (seconds, seconds * 4)
    }

    private struct Frame {
        let markup: String
        let height: Double
        let begin: Double
        let duration: Double
    }

    /// The whole document; it repeats without an end.
    public var svg: String {
        var definitions: Set<String> = []
        var drawn: [Frame] = []
        var time = 0.0
        for content in frames {
            let duration = content.alert == nil ? seconds.ball : seconds.alert
            let (markup, height) = draw(content, &definitions)
            drawn.append(Frame(markup: markup, height: height, begin: time, duration: duration))
            time += duration
        }
        let (width, height) = (options.screen.width, drawn.map(\.height).max() ?? 0)
        let colors = ImagePalette.lockScreen(options.scheme).wallpaper
        var background = ImageCanvas(ImageSize(width, height))
        let fill = background.define("screen", from: colors[0], to: colors[1], diagonal: true)
        background.shape("wallpaper", ImageBox(0, 0, width, height), radius: Self.cornerRadius, fill: fill)
        definitions.formUnion(background.definitions)
        let clock =
            "<rect width=\"0\" height=\"0\"><animate id=\"loop\" attributeName=\"x\" from=\"0\" to=\"0\""
            + " begin=\"0s;loop.end\" dur=\"\(time.svg)s\"/></rect>"
        let groups = drawn.map { frame in
            "<g visibility=\"hidden\"><set attributeName=\"visibility\" to=\"visible\""
                + " begin=\"loop.begin+\(frame.begin.svg)s\" dur=\"\(frame.duration.svg)s\"/>\(frame.markup)</g>\n"
        }
        return "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"\(width.svg)\" height=\"\(height.svg)\""
            + " viewBox=\"0 0 \(width.svg) \(height.svg)\" role=\"img\" font-family=\"\(SurfaceImage.fonts)\""
            + " font-variant=\"tabular-nums\"><title>A match ball by ball</title>"
            + "<desc>\(frames.count) states in \(time.svg) s. Approximation; the device decides.</desc>"
            + SurfaceImage.definitions(definitions) + background.markup + clock + "\n" + groups.joined() + "</svg>\n"
    }

    /// Island above card, without their own wallpapers; the banner of an alert covers the island.
    private func draw(_ content: SurfaceContent, _ definitions: inout Set<String>) -> (String, Double) {
        var y = 0.0
        var markup = ""
        let top: SurfaceLayout = content.alert == nil ? .compact : .banner
        for layout in [top, .lockScreen] {
            let image = SurfaceImage.render(content, layout, options)
            definitions.formUnion(image.canvas.definitions.filter { !$0.contains("id=\"wallpaper-") })
            let shapes = image.canvas.elements.filter { $0.slot != "wallpaper" }.map(\.markup).joined()
            markup += "<g transform=\"translate(0 \(y.svg))\">\(shapes)</g>"
            y += max(LayoutDrawing.bannerHeight, image.canvas.size.height)
        }
        return (markup, max(y, LayoutDrawing.bannerHeight + 160 + 28))
    }
}
