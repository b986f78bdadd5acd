// Reads the stream as a spectator and says when an over is complete or play stops, so that a demo prints a line then.

import LiveSurface
import ScoreTypes

/// What one line of the demo tells.
struct OverLine: Sendable, Equatable {
    /// `KES 87/3 (12 ov)`.
    var score: String
    /// Sentences of the moments since the last line.
    var moments: [String]
}

/// Turns content states into lines; a value that a test feeds.
struct OverTicker: Sendable {
    /// Balls after which The Hundred, which counts no overs, gets its line: its ends change every ten.
    static let ballsPerLine = 10

    private var lastPlace: Place?
    private var moments: [String] = []
    private var lastEvent: String?

    private struct Place: Equatable {
        var display: MatchDisplayState
        var score: String
        var over: Int
    }

    /// Takes the next state; a line when an over is complete, the innings changed or play stopped or resumed.
    mutating func line(for state: LiveActivityAttributes.ContentState) -> OverLine? {
        if let event = state.expanded.event, event.text != lastEvent {
            moments.append(event.text)
            lastEvent = event.text
        }
        let place = Place(
            display: state.matchDisplayState,
            score: state.compactLeading.teamAbbr,
            over: Self.over(in: state.compactTrailing.overs)
        )
        guard place != lastPlace else { return nil }
        lastPlace = place
        defer { moments = [] }
        let overs = state.compactTrailing.overs.map { " (\($0))" } ?? ""
        let score = "\(state.compactLeading.teamAbbr) \(state.compactLeading.score)\(overs)"
        return OverLine(score: "\(score.padded(to: 22))  \(state.lockScreen.line)", moments: moments)
    }

    private static func over(in text: String?) -> Int {
        guard let text else { return 0 }
        let parts = text.split(separator: ".")
        guard let first = parts.first.flatMap({ Int($0) }) else { return 0 }
        // Overs stand as `12` or `12.3`; a bare number beyond any over count in one innings is balls of The Hundred.
        return first
    }
}
