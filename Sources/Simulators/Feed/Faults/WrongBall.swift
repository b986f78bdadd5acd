// One ball in seven is first posted as something else (cricket.md B.2); these are the mistakes that scorers make.

import Providers

/// A mistake about one ball; for a ball with a wicket it is always the missing wicket.
enum WrongBall: Sendable, Hashable, CaseIterable {
    /// One run more or less off the bat: a six as a four, a single as none.
    case otherRuns
    /// Runs off the bat as wides, or the other way round: five wides as a four.
    case asWides
    /// Runs off the bat as leg byes.
    case asLegByes
    /// Striker and partner mixed up.
    case otherEnd
    /// A wicket that was none.
    case inventedWicket

    /// How many of a hundred mistakes are of a kind.
    ///
    /// The measurement (cricket.md B.2) counts mistakes, one ball in seven, and names two: a four that became five
    /// wides and a six that became a four. It does not say how often a wicket was invented, so that share is
    /// a guess: one invented wicket in 700 balls, which is one to some twenty true ones.
    private static let shares: [(WrongBall, Int)] = [
        (.otherRuns, 44), (.asWides, 25), (.asLegByes, 20), (.otherEnd, 10), (.inventedWicket, 1),
    ]

    /// Draws a mistake.
    static func drawn(_ draw: inout SeededDraw) -> WrongBall {
        var left = Int.random(in: 0..<100, using: &draw)
        for (mistake, share) in shares {
            if left < share { return mistake }
            left -= share
        }
        return .otherRuns
    }

    /// The ball with the mistake; one that does not apply to it becomes one about its runs.
    func applied(to ball: CricsheetDelivery) -> CricsheetDelivery {
        var wrong = ball
        let isPlain = ball.runs.batter > 0 && ball.extras == nil
        switch self {
        case _ where ball.wickets != nil: wrong.wickets = nil
        case .asWides where isPlain:
            wrong.extras = .init(wides: ball.runs.batter + 1)
            wrong.runs.batter = 0
        case .asWides where ball.isOnlyWide:
            wrong.runs.batter = max(0, ball.runs.extras - 1)
            wrong.extras = nil
        case .asLegByes where isPlain:
            wrong.extras = .init(legbyes: ball.runs.batter)
            wrong.runs.batter = 0
        case .otherEnd: swap(&wrong.batter, &wrong.nonStriker)
        case .inventedWicket where ball.extras == nil:
            wrong.wickets = [CricsheetDelivery.Wicket(kind: "bowled", playerOut: ball.batter)]
            wrong.runs.batter = 0
        // Runs off the bat on a wide are no cricket.
        case _ where ball.extras?.wides != nil: wrong.extras?.wides = (ball.extras?.wides ?? 0) + 1
        case _ where ball.byesOfAnyKind > 0:
            wrong.extras?.byes = nil
            wrong.extras?.legbyes = nil
            wrong.runs.batter += ball.byesOfAnyKind
        case .otherRuns, .asWides, .asLegByes, .inventedWicket: wrong.runs.batter = Self.mistaken(ball.runs.batter)
        }
        let extras = wrong.extras
        wrong.runs.extras = [extras?.byes, extras?.legbyes, extras?.noballs, extras?.penalty, extras?.wides]
            .reduce(0) { $0 + ($1 ?? 0) }
        wrong.runs.total = wrong.runs.batter + wrong.runs.extras
        if wrong.runs.batter != ball.runs.batter { wrong.runs.nonBoundary = nil }
        return wrong
    }

    private static func mistaken(_ runs: Int) -> Int {
        switch runs {
        case 6: 4
        case 4: 6
        case 0: 1
        default: runs - 1
        }
    }
}

extension CricsheetDelivery {
    /// Whether all that the ball brought are wides, so that it may be taken for one that was hit.
    fileprivate var isOnlyWide: Bool { runs.batter == 0 && runs.extras > 0 && extras?.wides == runs.extras }

    /// Byes and leg byes, which a scorer may take for runs off the bat.
    fileprivate var byesOfAnyKind: Int { (extras?.byes ?? 0) + (extras?.legbyes ?? 0) }
}
