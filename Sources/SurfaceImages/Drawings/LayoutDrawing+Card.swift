// The Lock Screen's card, StandBy and the small card of watch and CarPlay.

internal import LiveSurface

extension LayoutDrawing {
    /// The note of an app on a state beyond its stale date, as in the example app.
    static let staleNote = "Waiting for news"
    private static let margin = 14.0

    static func lockScreenCanvas(_ content: SurfaceContent, _ options: SurfaceImageOptions) -> ImageCanvas {
        let height = cardHeight(content, options) + 2 * margin
        return ImageCanvas(ImageSize(options.screen.width, height))
    }

    static func standbyCanvas(_ content: SurfaceContent, _ options: SurfaceImageOptions) -> ImageCanvas {
        ImageCanvas(ImageSize(options.screen.cardWidth, 160))
    }

    /// Points of the card, 84 to 160.
    private static func cardHeight(_ content: SurfaceContent, _ options: SurfaceImageOptions) -> Double {
        guard let state = content.state else { return 84 }
        var height = 62.0 + 20
        if state.expanded.event != nil || state.lockScreen.sub != nil { height += 19 }
        if !state.expanded.recent.isEmpty || options.condition == .stale { height += 25 }
        if state.progress != nil { height += 12 }
        return min(160, max(84, height + 14))
    }

    mutating func drawLockScreen() {
        drawWallpaper()
        let width = options.screen.cardWidth
        let height = canvas.size.height - 2 * Self.margin
        let box = ImageBox((canvas.size.width - width) / 2, Self.margin, width, height)
        drawSurface(box, radius: 28)
        drawCard(in: box)
    }

    mutating func drawStandby() {
        drawWallpaper()
        let box = ImageBox(0, 0, canvas.size.width, canvas.size.height)
        drawSurface(box, radius: 0)
        let height = Self.cardHeight(content, options)
        drawCard(in: ImageBox(0, (160 - height) / 2, box.width, height))
    }

    private mutating func drawCard(in box: ImageBox) {
        let left = box.x + 18
        let width = box.width - 36
        let side = (width - 16) / 2
        drawTeam(0, in: ImageBox(left, box.y + 13, side, 46), size: 27, .leading)
        drawTeam(1, in: ImageBox(left + width - side, box.y + 13, side, 46), size: 27, .trailing)
        var y = box.y + 65
        if let event = state.expanded.event {
            canvas.text(
                event.text,
                "lock screen event",
                ImageBox(left, y, width, 19),
                ImageFont(15, .bold, minimumScale: 0.75),
                color(of: event),
                on: palette.surface
            )
            y += 19
        }
        let isMain = state.expanded.event == nil
        canvas.text(
            state.lockScreen.line,
            "lock screen line",
            ImageBox(left, y, width, 19),
            ImageFont(isMain ? 15 : 13.5, isMain ? .semibold : .medium, minimumScale: 0.75),
            palette.primary,
            on: palette.surface
        )
        y += 19
        if isMain, let sub = state.lockScreen.sub {
            canvas.text(
                sub,
                "lock screen sub",
                ImageBox(left, y, width, 18),
                ImageFont(13, minimumScale: 0.8),
                palette.secondary,
                on: palette.surface
            )
            y += 19
        }
        drawLastRow(ImageBox(left, y + 3, width, 18))
        if let progress = state.progress {
            drawProgress(progress, in: ImageBox(left, box.maxY - 16, width, 4))
        }
    }

    /// The last balls, and at the end of the row the note of a stale state.
    private mutating func drawLastRow(_ box: ImageBox) {
        var balls = box
        if options.condition == .stale {
            let font = ImageFont(12, .medium)
            let note = TextFitting.fit(Self.staleNote, font, within: box.width)
            let area = ImageBox(box.maxX - note.width, box.y, note.width, box.height)
            canvas.place(note, "stale note", area, palette.secondary, on: palette.surface)
            balls.width -= note.width + 10
        }
        drawBalls(in: balls)
    }

    static func smallCanvas(_ size: ImageSize) -> ImageCanvas {
        ImageCanvas(ImageSize(size.width + 16, size.height + 16))
    }

    mutating func drawSmall(_ size: ImageSize) {
        drawWallpaper()
        let box = ImageBox(8, 8, size.width, size.height)
        drawSurface(box, radius: 18)
        let small = state.small
        let lines: [(String, Double, ImageFont, ImageColor, String)] = [
            (small.top, 21, ImageFont(17, .bold, minimumScale: 0.65), palette.primary, "small top"),
            (small.bottom, 18, ImageFont(15, .medium, minimumScale: 0.65), palette.primary, "small bottom"),
            (
                options.condition == .stale ? Self.staleNote : small.line, 16,
                ImageFont(12.5, .medium, minimumScale: 0.75), palette.secondary, "small line"
            ),
        ]
        var y = box.midY - lines.reduce(0) { $0 + $1.1 } / 2
        for (index, line) in lines.enumerated() {
            let area = ImageBox(box.x + 20, y, box.width - 30, line.1)
            if index < 2, state.expanded.teams.indices.contains(index) {
                let mark = ImageBox(box.x + 11, y + 3, 4, line.1 - 6)
                canvas.shape("small", mark, radius: 2, fill: color(ofTeam: index).hex)
            }
            let text = index == 2 ? ImageBox(box.x + 11, y, box.width - 21, line.1) : area
            canvas.text(line.0, line.4, text, line.2, line.3, on: palette.surface)
            y += line.1
        }
    }
}
