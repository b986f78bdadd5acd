// One ball of a match is one row at Sportmonks, and more when one score cannot express it.

import MatchEngine

/// A ball with everything that its rows depend on; the register of players is the same in every content of a match.
struct SportmonksShownBall: Sendable, Equatable {
    let delivery: Delivery
    let id: Int64
    /// Over and ball as the decimal that is none.
    let label: Double
    /// The number of the batting team.
    let team: Int
    let scoreboard: String
    /// When the ball was last edited, in seconds since 1970.
    let editedAt: Int64

    /// Its rows; none when no score of the table fits.
    var rows: [SportmonksBallRows.Row] { SportmonksBallRows.rows(of: delivery, ballID: id) ?? [] }
}

/// Lays a delivery out in rows.
struct SportmonksBallRows {
    /// A row of `balls`.
    struct Row {
        let id: Int64
        let score: Int
        /// The dismissed batter, and the fielders.
        let dismissal: Dismissal?
    }

    /// The rows of a ball, its own first; nil when no score of the table fits.
    static func rows(of delivery: Delivery, ballID: Int64) -> [Row]? {
        let catalogue = SportmonksCatalogue.shared
        var rest = delivery.dismissals
        var scores: [(meaning: SportmonksCatalogue.Meaning, dismissal: Dismissal?)] = [(meaning(of: delivery), nil)]
        if let first = rest.first {
            var both = scores[0].meaning
            (both.kind, both.isBySubstitute) = (first.scoreKind, first.isBySubstitute)
            if catalogue.id(both) != nil {
                scores = [(both, first)]
                rest.removeFirst()
            }
        }
        if delivery.runs.penalty > 0 {
            let penalty = DeliveryRuns(penalty: delivery.runs.penalty)
            scores.append((SportmonksCatalogue.Meaning(runs: penalty, isBall: false), nil))
        }
        for dismissal in rest {
            let (kind, isBySubstitute) = (dismissal.scoreKind, dismissal.isBySubstitute)
            scores.append(
                (SportmonksCatalogue.Meaning(kind: kind, isBySubstitute: isBySubstitute, isBall: false), dismissal)
            )
        }
        var rows: [Row] = []
        for (meaning, dismissal) in scores.prefix(Int(SimulatorLimits.rowsOfBall)) {
            guard let score = catalogue.id(meaning) else { return nil }
            let id = ballID * SimulatorLimits.rowsOfBall + Int64(rows.count)
            rows.append(Row(id: id, score: score, dismissal: dismissal))
        }
        return rows
    }

    /// The runs of a ball without its penalty runs; runs on a wide are wides, whatever the file says.
    private static func meaning(of delivery: Delivery) -> SportmonksCatalogue.Meaning {
        var runs = delivery.runs
        runs.penalty = 0
        if runs.wides > 0 {
            runs = DeliveryRuns(wides: runs.wides + runs.bat + runs.byes + runs.legByes)
        }
        let isRope = (runs.bat == 4 || runs.bat == 6) && !delivery.isAllRun
        return SportmonksCatalogue.Meaning(runs: runs, isBoundary: isRope)
    }
}

extension Dismissal {
    /// The kind that the table has for it.
    var scoreKind: DismissalKind { kind == .caughtAndBowled ? .caught : kind }

    /// Whether the score's name has to say so.
    var isBySubstitute: Bool {
        (kind == .caught || kind == .stumped || kind == .runOut) && fielders.contains(where: \.isSubstitute)
    }

    /// Names of who threw, and of who caught, stumped or took the throw.
    func hands(bowler: Player) -> (thrower: String?, catcher: String?) {
        switch kind {
        case .caughtAndBowled: (nil, bowler.name)
        case .caught, .stumped: (nil, fielders.first?.name)
        case .runOut, .obstructingTheField:
            (fielders.first?.name, fielders.count > 1 ? fielders[1].name : nil)
        default: (nil, nil)
        }
    }
}
