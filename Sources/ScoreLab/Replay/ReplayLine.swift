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
        guard let ball = changes.lazy.compactMap(\.delivery).last, let card = state.currentInnings,
            let mark = card.balls.last
        else { return "--    \(drawn.lockScreen.line)" }
        let side = state.abbreviations[card.info.batting]
        let place = state.rules.countsBalls ? String(card.ballsCalled) : "\(card.oversCalled).\(card.legalInOver)"
        return [
            Self.padded(place, 6), Self.padded(mark.text, 5), Self.padded("\(side) \(drawn.compactLeading.score)", 18),
            Self.padded(drawn.expanded.line, 40), "\(ball.bowler.name) to \(ball.striker.name)",
        ].joined()
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}

extension Change {
    /// The ball that was bowled.
    fileprivate var delivery: Delivery? {
        if case .inserted(let delivery) = self { delivery } else { nil }
    }
}
