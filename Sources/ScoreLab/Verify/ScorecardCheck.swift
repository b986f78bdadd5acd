// Sums that hold in every scorecard (cricket.md C.18).

import MatchEngine

/// Holds a match's cards against themselves.
struct ScorecardCheck {
    /// The sums that differ.
    let reasons: [String]

    init(_ state: MatchState) {
        reasons = state.innings.flatMap { card in
            Self.checks(card).compactMap { check in
                check.isTrue ? nil : "innings \(card.info.ordinal): \(check.name)"
            }
        }
    }

    private static func checks(_ card: InningsState) -> [(name: String, isTrue: Bool)] {
        let bat = card.batters.reduce(0) { $0 + $1.runs }
        let charged = card.bowlers.reduce(0) { $0 + $1.runs }
        let credited = card.bowlers.reduce(0) { $0 + $1.wickets }
        let others = card.batters.count { $0.status == .out && $0.dismissal?.kind.isCreditedToBowler == false }
        let faced = card.batters.reduce(0) { $0 + $1.balls }
        let wides = card.bowlers.reduce(0) { $0 + $1.wideCount }
        let stands = card.partnerships.reduce(0) { $0 + $1.runs }
        let outside = card.info.penaltyBefore + card.info.penaltyAfter
        let falls = card.falls.map(\.runs)
        return [
            ("the total is not the runs off the bat plus extras", card.runs == bat + card.extras.total),
            (
                "the runs of the bowlers are not the total without byes, leg byes and penalties",
                charged == card.runs - card.extras.byes - card.extras.legByes - card.extras.penalty
            ),
            ("the wickets are not those of the bowlers plus the others", card.wickets == credited + others),
            ("there are more wickets than a side has", card.wickets <= card.lastWicket),
            ("the balls faced are not the deliveries without wides", faced == card.deliveries - wides),
            ("the legal balls differ from the bowlers'", card.legalBalls == card.bowlers.reduce(0) { $0 + $1.balls }),
            ("the partnerships do not add up to the total", stands == card.runs - outside),
            ("a wicket fell at a lower score than the one before", zip(falls, falls.dropFirst()).allSatisfy(<=)),
        ]
    }
}
