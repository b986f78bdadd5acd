// The alert of a push as iOS shows it at the top of the screen.

extension LayoutDrawing {
    private static let margin = 8.0
    private static let titleFont = ImageFont(15, .semibold)
    private static let bodyFont = ImageFont(15)
    /// Lines of the body that a banner shows.
    private static let bodyLines = 4
    private static let lineHeight = 19.0

    private static func bodyWidth(_ options: SurfaceImageOptions) -> Double {
        options.screen.width - 2 * margin - 62 - 16
    }

    private static func body(_ alert: SurfaceContent.Alert, _ options: SurfaceImageOptions) -> [FittedText] {
        TextFitting.wrap(alert.body, bodyFont, within: bodyWidth(options), lines: bodyLines)
    }

    static func bannerCanvas(_ content: SurfaceContent, _ options: SurfaceImageOptions) -> ImageCanvas {
        let lines = content.alert.map { body($0, options).count } ?? 0
        let height = max(66, 26 + lineHeight * Double(lines + 1))
        return ImageCanvas(ImageSize(options.screen.width, height + 2 * margin))
    }

    mutating func drawBanner(_ alert: SurfaceContent.Alert) {
        drawWallpaper()
        let size = canvas.size
        let box = ImageBox(Self.margin, Self.margin, size.width - 2 * Self.margin, size.height - 2 * Self.margin)
        drawSurface(box, radius: 24)
        let icon = ImageBox(box.x + 13, box.midY - 19, 38, 38)
        drawIcon(icon)
        let x = box.x + 62
        let width = Self.bodyWidth(options)
        let body = Self.body(alert, options)
        var y = box.midY - Self.lineHeight * Double(body.count + 1) / 2
        let now = ImageBox(x + width - 30, y, 30, Self.lineHeight)
        canvas.text("now", "banner time", now, ImageFont(12.5), palette.secondary, on: palette.surface, .trailing)
        canvas.text(
            alert.title,
            "banner title",
            ImageBox(x, y, width - 38, Self.lineHeight),
            Self.titleFont,
            palette.primary,
            on: palette.surface
        )
        for line in body {
            y += Self.lineHeight
            if line.isCut {
                canvas.report(
                    .truncated(slot: "banner body", text: TextFitting.plain(alert.body), shown: line.text)
                )
            }
            canvas.place(
                line,
                "banner body",
                ImageBox(x, y, width, Self.lineHeight),
                palette.primary,
                on: palette.surface
            )
        }
    }

    /// A neutral icon: three stumps and a ball.
    private mutating func drawIcon(_ box: ImageBox) {
        let fill = canvas.define("icon", from: ImageColor(0x2FA35B), to: ImageColor(0x14663A))
        canvas.shape("banner icon", box, radius: 9, fill: fill)
        for index in 0..<3 {
            let stump = ImageBox(box.x + 11.5 + Double(index) * 6, box.y + 11, 3, 19)
            canvas.shape("banner icon", stump, radius: 1.5, fill: "#ffffff")
        }
        canvas.shape("banner icon", ImageBox(box.x + 27, box.y + 6, 7, 7), radius: 3.5, fill: "#d70015")
    }
}
