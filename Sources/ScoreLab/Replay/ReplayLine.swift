// One line of a replay: the ball as a scorer says it, and the score behind it.

import LiveSurface
import MatchEngine

/// A step of a replay in words.
struct ReplayLine {
    let state: MatchState
    /// The changes that led to the state.
    let changes: [Change]
    let drawn: LiveActivityAttributes.ContentState

    /// `12.3  W    MI 87/6   MI need 83 from 45 balls   Bumrah to Sharma`; a sentence where no ball was bowled.
    var text: String {
        let balls = changes.compactMap { if case .inserted(let ball) = $0 { ball } else { nil } }
        guard let ball = balls.last, let card = state.currentInnings,
            let mark = card.balls.last
        else { return "--    \(drawn.lockScreen.line)" }
        let side = state.abbreviations[card.info.batting]
        let place = state.rules.countsBalls ? String(card.ballsCalled) : "\(card.oversCalled).\(card.legalInOver)"
        return [
            place.padded(to: 5), mark.text.padded(to: 4), "\(side) \(drawn.compactLeading.score)".padded(to: 17),
            drawn.expanded.line.padded(to: 39), "\(ball.bowler.name) to \(ball.striker.name)",
        ].joined(separator: " ")
    }
}
