// Parts that several layouts share: team scores, chips of balls, the frame with its wallpaper.

internal import LiveSurface

/// Draws one layout of a state.
struct LayoutDrawing {
    typealias State = LiveActivityAttributes.ContentState

    let state: State
    let content: SurfaceContent
    let options: SurfaceImageOptions
    let palette: ImagePalette
    var canvas: ImageCanvas

    /// Fills the canvas with the wallpaper.
    mutating func drawWallpaper() {
        let colors = palette.wallpaper
        let box = ImageBox(0, 0, canvas.size.width, canvas.size.height)
        let fill = canvas.define("wallpaper-\(palette.name)", from: colors[0], to: colors[1], diagonal: true)
        canvas.shape("wallpaper", box, fill: fill)
    }

    /// Draws the surface itself.
    mutating func drawSurface(_ box: ImageBox, radius: Double) {
        let colors = palette.surface
        let fill =
            colors[0] == colors[1]
            ? colors[0].hex : canvas.define("surface-\(palette.name)", from: colors[0], to: colors[1])
        canvas.shape("surface", box, radius: radius, fill: fill)
        guard content.undecodable != nil else { return }
        let rim = ImageBox(box.x + 1, box.y + 1, box.width - 2, box.height - 2)
        let more = " stroke=\"#ff453a\" stroke-width=\"2\" stroke-dasharray=\"6 4\""
        canvas.shape("surface", rim, radius: radius, fill: "none", more: more)
    }

    /// The colour of a side's name: that of the attributes, readable on the surface.
    mutating func color(ofTeam index: Int) -> ImageColor {
        guard let teams = content.attributes?.teams, teams.indices.contains(index),
            let text = teams[index].color, let color = ImageColor(hex: text)
        else { return palette.primary }
        let dimmed = palette.name == "always-on" ? color.mixed(.black, share: 0.25) : color
        let drawn = dimmed.readable(on: palette.surface)
        if drawn != dimmed {
            canvas.report(
                .colorReplaced(team: TextFitting.plain(teams[index].abbr), color: color.hex, drawn: drawn.hex)
            )
        }
        return drawn
    }

    /// Draws a side: its abbreviation, below it the score with the overs beside it.
    mutating func drawTeam(_ index: Int, in box: ImageBox, size: Double, _ alignment: ImageCanvas.Alignment) {
        guard state.expanded.teams.indices.contains(index) else { return }
        let row = state.expanded.teams[index]
        let side = index == 0 ? "first team" : "second team"
        let color = color(ofTeam: index)
        let isLeading = alignment == .leading
        let name = TextFitting.fit(row.abbr, ImageFont(13, .bold), within: box.width - 28)
        if name.isCut { canvas.report(.truncated(slot: side, text: row.abbr, shown: name.text)) }
        let mark = ImageBox(isLeading ? box.x : box.maxX - 4, box.y + 2, 4, 12)
        canvas.shape(side, mark, radius: 2, fill: color.hex)
        let nameBox = ImageBox(isLeading ? box.x + 9 : box.x + 19, box.y, box.width - 28, 16)
        canvas.place(name, side, nameBox, color, on: palette.surface, alignment)
        if row.batting {
            let x = isLeading ? nameBox.x + name.width + 4 : nameBox.maxX - name.width - 10
            canvas.shape(side, ImageBox(x, box.y + 5.25, 5.5, 5.5), radius: 3, fill: palette.accent.hex)
        }
        let y = box.y + 18
        let height = box.height - 18
        let oversFont = ImageFont(size * 0.5, .medium, minimumScale: 0.8)
        let overs = row.overs.map { TextFitting.fit($0, oversFont, within: box.width * 0.35) }
        let reserved = overs.map { $0.width + 5 } ?? 0
        let scoreBox = ImageBox(isLeading ? box.x : box.x + reserved, y, box.width - reserved, height)
        let font = ImageFont(size, .bold, minimumScale: 0.45)
        let width = canvas.text(
            row.score,
            "\(side) score",
            scoreBox,
            font,
            palette.primary,
            on: palette.surface,
            alignment
        )
        guard let overs else { return }
        let x = isLeading ? scoreBox.x + width + 5 : scoreBox.maxX - width - 5 - overs.width
        let oversBox = ImageBox(x, y + size * 0.22, overs.width, height - size * 0.22)
        canvas.place(overs, "\(side) overs", oversBox, palette.secondary, on: palette.surface)
    }

    /// Draws the last balls as chips.
    ///
    /// The oldest are omitted when the slot is full. Returns the used width.
    @discardableResult
    mutating func drawBalls(in box: ImageBox) -> Double {
        let font = ImageFont(box.height * 0.58, .bold, minimumScale: 0.7)
        let gap = box.height * 0.2
        var chips: [(ball: String, text: FittedText, width: Double)] = []
        var used = 0.0
        for ball in state.expanded.recent.suffix(SurfaceImageLimits.balls).reversed() {
            let text = TextFitting.fit(ball == "." ? "•" : ball, font, within: box.height * 2.2)
            let width = max(box.height, text.width + 8)
            let next = used + width + (chips.isEmpty ? 0 : gap)
            if next > box.width {
                let balls = state.expanded.recent
                let shown = chips.reversed().map(\.ball).joined(separator: " ")
                canvas.report(.truncated(slot: "balls", text: balls.joined(separator: " "), shown: shown))
                break
            }
            used = next
            chips.append((ball, text, width))
        }
        var x = box.x
        for chip in chips.reversed() {
            let fill = chipColor(chip.ball)
            let area = ImageBox(x, box.y, chip.width, box.height)
            canvas.shape("balls", area, radius: box.height / 2, fill: fill.hex)
            let isPlain = fill == palette.chip
            canvas.place(
                chip.text,
                "balls",
                area,
                isPlain ? palette.chipText : palette.strongText,
                on: [fill],
                .center
            )
            x += chip.width + gap
        }
        return used
    }

    private func chipColor(_ ball: String) -> ImageColor {
        switch ball {
        case "W": palette.wicket
        case "4": palette.four
        case "6": palette.six
        default: palette.chip
        }
    }

    /// The colour of an event's text.
    func color(of event: LiveActivityAttributes.Event) -> ImageColor {
        event.kind == "wicket" ? palette.alarm : palette.accent
    }

    /// Draws the share of the match that has been played.
    mutating func drawProgress(_ progress: Double, in box: ImageBox) {
        canvas.shape("progress", box, radius: 2, fill: palette.chip.hex)
        let share = progress.isFinite ? min(1, max(0, progress)) : 0
        guard share > 0 else { return }
        let width = max(box.height, box.width * share)
        canvas.shape("progress", ImageBox(box.x, box.y, width, box.height), radius: 2, fill: palette.accent.hex)
    }
}
