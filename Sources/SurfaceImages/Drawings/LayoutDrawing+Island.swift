// The Dynamic Island in its four forms, on an opaque black surface around the camera.

internal import LiveSurface

extension LayoutDrawing {
    private static let top = 11.33
    private static let height = 36.67
    /// Width of the camera's area, on each screen the island less both sides of the compact form.
    private static let camera = 125.34
    private static let statusBarHeight = 60.0

    static func islandCanvas(_ layout: SurfaceLayout, _ options: SurfaceImageOptions) -> ImageCanvas {
        let height = layout == .expanded ? top + 160 + 16 : statusBarHeight
        return ImageCanvas(ImageSize(options.screen.width, height))
    }

    private var middle: Double { canvas.size.width / 2 }

    mutating func drawCompact() {
        drawStatusBar()
        let width = options.screen.islandWidth
        let island = ImageBox(middle - width / 2, Self.top, width, Self.height)
        drawSurface(island, radius: 22)
        guard options.condition != .ended else { return }
        let side = options.screen.compactWidth
        let leading = ImageBox(island.x + 9, Self.top + 4.5, side - 10, 12)
        let abbreviation = state.compactLeading.teamAbbr
        let index = state.expanded.teams.firstIndex { $0.abbr == abbreviation } ?? -1
        let font = ImageFont(10.5, .bold, minimumScale: 0.7)
        canvas.text(abbreviation, "compact leading", leading, font, color(ofTeam: index), on: palette.surface)
        let score = ImageBox(leading.x, Self.top + 16, leading.width, 17)
        let scoreFont = ImageFont(14.5, .semibold, minimumScale: 0.6)
        canvas.text(
            leadingScore(scoreFont, score.width),
            "compact leading",
            score,
            scoreFont,
            palette.primary,
            on: palette.surface
        )
        let trailing = ImageBox(island.maxX - side + 1, Self.top, side - 10, Self.height)
        drawLines(
            state.compactTrailing.text,
            "compact trailing",
            trailing,
            ImageFont(12.5, .semibold, minimumScale: 0.7)
        )
    }

    /// The score of all innings, or of the newest one when all do not fit.
    private func leadingScore(_ font: ImageFont, _ width: Double) -> String {
        let leading = state.compactLeading
        return TextFitting.fit(leading.score, font, within: width).isCut ? leading.newestScore : leading.score
    }

    private mutating func drawLines(_ text: String, _ slot: String, _ box: ImageBox, _ font: ImageFont) {
        let lines =
            font.width(of: text) <= box.width
            ? [TextFitting.fit(text, font, within: box.width)]
            : TextFitting.wrap(text, font, within: box.width, lines: 2)
        let height = 15.0
        var y = box.midY - height * Double(lines.count) / 2
        for line in lines {
            if line.isCut {
                canvas.report(.truncated(slot: slot, text: TextFitting.plain(text), shown: line.text))
            }
            canvas.place(
                line,
                slot,
                ImageBox(box.x, y, box.width, height),
                palette.primary,
                on: palette.surface,
                .trailing
            )
            y += height
        }
    }

    mutating func drawMinimal(isDetached: Bool) {
        drawStatusBar()
        let isGone = options.condition == .ended
        let text = state.minimal.flash ?? state.minimal.text
        let font = ImageFont(14.5, .semibold, minimumScale: 0.5)
        let width = min(45, max(Self.height, font.width(of: text) + 12))
        let left = middle - Self.camera / 2
        let other = ImageColor(0x3A3A3C)
        let circle: ImageBox
        if isDetached {
            let pill = ImageBox(left - Self.height, Self.top, Self.height + Self.camera, Self.height)
            canvas.shape("island", pill, radius: 22, fill: ImageColor.black.hex)
            canvas.shape("other app", ImageBox(pill.x + 11, Self.top + 10, 16.67, 16.67), radius: 5, fill: other.hex)
            circle = ImageBox(pill.maxX + 9, Self.top, width, Self.height)
        } else {
            let pill = ImageBox(left - width, Self.top, width + Self.camera, Self.height)
            let second = ImageBox(pill.maxX + 9, Self.top, Self.height, Self.height)
            canvas.shape("other app", second, radius: 22, fill: ImageColor.black.hex)
            canvas.shape("other app", ImageBox(second.x + 10, Self.top + 10, 16.67, 16.67), radius: 5, fill: other.hex)
            drawSurface(pill, radius: 22)
            circle = ImageBox(pill.x, Self.top, width, Self.height)
        }
        guard !isGone else { return }
        if isDetached { drawSurface(circle, radius: 22) }
        let box = ImageBox(circle.x + 4.5, circle.y, circle.width - 9, circle.height)
        let color =
            switch state.minimal.flash {
            case nil: palette.primary
            case "W": palette.alarm
            default: palette.accent
            }
        canvas.text(text, "minimal", box, font, color, on: palette.surface, .center)
    }

    mutating func drawExpanded() {
        drawWallpaper()
        let width = options.screen.cardWidth
        let box = ImageBox(middle - width / 2, Self.top, width, 160)
        drawSurface(box, radius: 44)
        guard options.condition != .ended else { return }
        let margin = 24.0
        let content = box.width - 2 * margin
        let side = (content - 92) / 2
        drawTeam(0, in: ImageBox(box.x + margin, box.y + 14, side, 46), size: 24, .leading)
        drawTeam(1, in: ImageBox(box.maxX - margin - side, box.y + 14, side, 46), size: 24, .trailing)
        let center = ImageBox(middle - 42, box.y + 40, 84, 16)
        canvas.text(
            state.compactTrailing.text,
            "expanded center",
            center,
            ImageFont(13, .medium, minimumScale: 0.7),
            palette.secondary,
            on: palette.surface,
            .center
        )
        let left = box.x + margin
        var y = box.y + 66
        let expanded = state.expanded
        let lineColor = expanded.event.map(color) ?? palette.primary
        canvas.text(
            expanded.event?.text ?? expanded.line,
            "expanded line",
            ImageBox(left, y, content, 19),
            ImageFont(15, .semibold, minimumScale: 0.75),
            lineColor,
            on: palette.surface
        )
        y += 22
        drawBatters(ImageBox(left, y, content, 16))
        if !expanded.batters.isEmpty { y += 17 }
        if let bowler = expanded.bowler {
            canvas.text(
                "\(bowler.name) \(bowler.figures) (\(bowler.overs))",
                "expanded bowler",
                ImageBox(left, y, content, 16),
                ImageFont(12.5, minimumScale: 0.8),
                palette.secondary,
                on: palette.surface
            )
            y += 17
        }
        drawBalls(in: ImageBox(left + 4, min(y + 3, box.maxY - 32), content - 8, 18))
    }

    private mutating func drawBatters(_ box: ImageBox) {
        let count = state.expanded.batters.count
        for (index, batter) in state.expanded.batters.prefix(2).enumerated() {
            let width = count == 1 ? box.width : (box.width - 12) / 2
            let area = ImageBox(box.x + Double(index) * (width + 12), box.y, width, box.height)
            let figures = "\(batter.runs) (\(batter.balls))"
            let font = ImageFont(12.5, .semibold)
            let reserved = min(area.width * 0.6, font.width(of: figures) + 5)
            let name = batter.name + (batter.onStrike ? "*" : "")
            let nameFont = ImageFont(12.5, batter.onStrike ? .semibold : .regular, minimumScale: 0.75)
            let used = canvas.text(
                name,
                "expanded batters",
                ImageBox(area.x, area.y, area.width - reserved, area.height),
                nameFont,
                palette.primary,
                on: palette.surface
            )
            canvas.text(
                figures,
                "expanded batters",
                ImageBox(area.x + used + 5, area.y, reserved - 5, area.height),
                font,
                palette.primary,
                on: palette.surface
            )
        }
    }

    /// The wallpaper with clock and battery, which are the phone's and no content.
    private mutating func drawStatusBar() {
        drawWallpaper()
        let color = palette.caption
        let clock = ImageBox(22, Self.top + 8, 50, 20)
        canvas.text("9:41", "status bar", clock, ImageFont(16, .semibold), color, on: palette.wallpaper, .center)
        let battery = ImageBox(canvas.size.width - 54, Self.top + 12, 24, 12)
        canvas.shape("status bar", battery, radius: 4, fill: color.hex)
        canvas.shape(
            "status bar",
            ImageBox(battery.maxX + 1.5, battery.y + 4, 1.5, 4),
            radius: 0.75,
            fill: color.hex
        )
    }
}
