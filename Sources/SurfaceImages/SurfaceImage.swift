// Draws what a phone shows, in the layouts of the example app, as a self-contained SVG; the device decides the details.

internal import LiveSurface

/// How an image is drawn.
public struct SurfaceImageOptions: Hashable, Sendable {
    /// The phone.
    public var screen: SurfaceScreen
    /// The appearance of Lock Screen and banner; the other layouts have one appearance.
    public var scheme: SurfaceScheme
    /// The condition of the activity.
    public var condition: SurfaceCondition

    /// Makes options.
    public init(
        screen: SurfaceScreen = .points393,
        scheme: SurfaceScheme = .dark,
        condition: SurfaceCondition = .current
    ) {
        self.screen = screen
        self.scheme = scheme
        self.condition = condition
    }
}

/// One layout of one state as SVG.
public struct SurfaceImage: Sendable {
    /// The layout.
    public let layout: SurfaceLayout
    /// Faults of the state in this layout.
    public let findings: [SurfaceFinding]
    let canvas: ImageCanvas
    let title: String
    let description: String
    /// Units of the SVG for a point.
    let scale: Double
    /// The note below the surface; nil for none.
    let caption: String?

    /// Draws a state.
    ///
    /// - Parameters:
    ///   - content: The decoded bytes.
    ///   - layout: The presentation.
    ///   - options: Screen, appearance and condition.
    /// - Returns: The image with its findings; the same for the same input.
    public static func render(
        _ content: SurfaceContent,
        _ layout: SurfaceLayout,
        _ options: SurfaceImageOptions = SurfaceImageOptions()
    ) -> SurfaceImage {
        var canvas = draw(content, layout, options)
        if let reason = content.undecodable { canvas.report(.undecodable(reason: reason)) }
        if layout == .banner, content.alert == nil { canvas.report(.noAlert) }
        return SurfaceImage(
            layout: layout,
            findings: canvas.findings,
            canvas: canvas,
            title: layout.title,
            description: description(of: content, options),
            scale: layout == .standby ? 2 : 1,
            caption: caption(content, layout, options)
        )
    }

    private static func draw(
        _ content: SurfaceContent,
        _ layout: SurfaceLayout,
        _ options: SurfaceImageOptions
    ) -> ImageCanvas {
        let (canvas, palette) = frame(content, layout, options)
        guard let state = content.state else { return blank(canvas, palette) }
        var drawing = LayoutDrawing(
            state: state,
            content: content,
            options: options,
            palette: palette,
            canvas: canvas
        )
        switch layout {
        case .compact: drawing.drawCompact()
        case .minimal: drawing.drawMinimal(isDetached: false)
        case .minimalDetached: drawing.drawMinimal(isDetached: true)
        case .expanded: drawing.drawExpanded()
        case .lockScreen: drawing.drawLockScreen()
        case .standby: drawing.drawStandby()
        case .watch41, .watch45, .watch49, .carPlay, .carPlayTall, .carPlayNarrow:
            if let size = layout.smallSize { drawing.drawSmall(size) }
        case .banner:
            if let alert = content.alert { drawing.drawBanner(alert) } else { drawing.drawWallpaper() }
        }
        return drawing.canvas
    }

    private static func frame(
        _ content: SurfaceContent,
        _ layout: SurfaceLayout,
        _ options: SurfaceImageOptions
    ) -> (ImageCanvas, ImagePalette) {
        if let size = layout.smallSize { return (LayoutDrawing.smallCanvas(size), .small) }
        switch layout {
        case .lockScreen: return (LayoutDrawing.lockScreenCanvas(content, options), .lockScreen(options.scheme))
        case .standby: return (LayoutDrawing.standbyCanvas(content, options), .standby)
        case .banner: return (LayoutDrawing.bannerCanvas(content, options), .lockScreen(options.scheme))
        default: return (LayoutDrawing.islandCanvas(layout, options), .island)
        }
    }

    /// A phone without a state shows nothing of the activity.
    private static func blank(_ canvas: ImageCanvas, _ palette: ImagePalette) -> ImageCanvas {
        var canvas = canvas
        let box = ImageBox(0, 0, canvas.size.width, canvas.size.height)
        canvas.shape("wallpaper", box, fill: palette.wallpaper[0].hex)
        let line = ImageBox(10, box.midY - 10, box.width - 20, 20)
        canvas.text(
            "No state was shown before",
            "note",
            line,
            ImageFont(13, .medium, minimumScale: 0.6),
            palette.caption,
            on: palette.wallpaper,
            .center
        )
        return canvas
    }

    private static func caption(
        _ content: SurfaceContent,
        _ layout: SurfaceLayout,
        _ options: SurfaceImageOptions
    ) -> String? {
        if content.undecodable != nil { return "Undecodable: the phone keeps its old state" }
        switch options.condition {
        case .current, .stale: return nil
        case .held: return "Held: phones keep this revision"
        case .ended:
            return SurfaceLayout.island.contains(layout) ? "Ended: the island is empty" : "Ended: the card remains"
        }
    }

    static func description(of content: SurfaceContent, _ options: SurfaceImageOptions) -> String {
        guard let state = content.state else { return "No state." }
        let small = state.small
        let facts = [small.top, small.bottom, state.lockScreen.line].map(TextFitting.plain).joined(separator: "; ")
        return "Revision \(state.rev), \(options.condition.rawValue): \(facts). Approximation; the device decides."
    }
}
