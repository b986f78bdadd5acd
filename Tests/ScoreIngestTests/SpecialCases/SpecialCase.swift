// The state of a match with each special case of recorded cricket.

import MatchEngine
import ScoreTypes

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// A match with a special case.
struct SpecialMatch {
    let snapshot: MatchSnapshot
    let state: MatchState

    init(_ snapshot: MatchSnapshot) {
        self.snapshot = snapshot
        state = snapshot.replica.state
    }

    /// Whether some ball satisfies a condition.
    func ball(_ isSo: (Delivery) -> Bool) -> Bool { snapshot.deliveries.contains(where: isSo) }

    /// Whether some wicket or retirement satisfies a condition, with its ball.
    func out(_ isSo: (Dismissal, Delivery) -> Bool) -> Bool {
        ball { ball in ball.dismissals.contains { isSo($0, ball) } }
    }

    /// Whether some wicket of a kind has this text on the card.
    func card(_ kind: DismissalKind, _ words: String) -> Bool {
        out { dismissal, _ in dismissal.kind == kind }
            && state.innings.contains { card in
                card.batters.contains { $0.howOut.contains(words) } || kind == .retiredHurt || kind == .retiredNotOut
            }
    }

    /// Whether some innings satisfies a condition.
    func innings(_ isSo: (InningsState) -> Bool) -> Bool { state.innings.contains(where: isSo) }

    /// Whether the match has a moment of a kind.
    func hasMoment(_ kind: Moment.Kind) -> Bool { state.moments.contains { $0.kind == kind } }

    /// Legal balls of each over but the last of each innings, in order.
    var wholeOvers: [Int] {
        state.innings.flatMap { card in
            let balls = snapshot.deliveries.filter { $0.innings == card.info.ordinal }
            let overs = Dictionary(grouping: balls, by: \.over).sorted { $0.key < $1.key }
            return overs.dropLast().map { $0.value.count(where: \.isLegal) }
        }
    }

    /// Legal balls of the last over of each innings.
    var lastOvers: [Int] {
        state.innings.compactMap { card in
            let balls = snapshot.deliveries.filter { $0.innings == card.info.ordinal }
            guard let last = balls.map(\.over).max() else { return nil }
            return balls.count { $0.over == last && $0.isLegal }
        }
    }

    /// Legal balls of every over.
    var overs: [Int] { wholeOvers + lastOvers }

    /// The innings that is chased in, and the one before.
    var chase: (first: InningsState, second: InningsState)? {
        let ordinary = state.innings.filter { !$0.isSuperOver }
        return ordinary.count == 2 ? (ordinary[0], ordinary[1]) : nil
    }

    func replaces(_ reason: Replacement.Reason, _ scope: Replacement.Scope = .match) -> Bool {
        ball { $0.replacements.contains { $0.reason == reason && $0.scope == scope } }
    }

    func reviews(_ decision: Review.Decision, umpiresCall: Bool = false) -> Bool {
        ball { $0.reviews.contains { $0.decision == decision && $0.isUmpiresCall == umpiresCall } }
            && hasMoment(.review)
    }
}

extension Delivery {
    var total: Int { runs.bat + runs.wides + runs.noBalls + runs.byes + runs.legByes + runs.penalty }
}
