// One ball in seven is first posted as something else (cricket.md B.2); these are the mistakes that scorers make.

public import ScoreIngest

/// A mistake about one ball.
public enum WrongBall: Sendable, Hashable, CaseIterable {
    /// One run more or less off the bat: a six told as a four, a single as none.
    case otherRuns
    /// Runs off the bat told as wides: a four as five wides.
    case asWides
    /// Runs off the bat told as leg byes.
    case asLegByes
    /// A wicket not told yet; an invented one where there was none.
    case otherWicket
    /// Striker and partner mixed up.
    case otherEnd

    /// The ball as it is told; itself when the mistake cannot be made about it.
    public func told(_ ball: CricsheetDelivery) -> CricsheetDelivery {
        var wrong = ball
        switch self {
        case .otherRuns: wrong.runs.batter = Self.mistaken(ball.runs.batter)
        case .asWides:
            guard ball.runs.batter > 0, ball.extras == nil, ball.wickets == nil else { return ball }
            wrong.extras = .init(wides: ball.runs.batter + 1)
            wrong.runs.batter = 0
        case .asLegByes:
            guard ball.runs.batter > 0, ball.extras == nil else { return ball }
            wrong.extras = .init(legbyes: ball.runs.batter)
            wrong.runs.batter = 0
        case .otherWicket:
            let invented = CricsheetDelivery.Wicket(kind: "bowled", playerOut: ball.batter)
            wrong.wickets = ball.wickets == nil && ball.extras == nil ? [invented] : nil
            if wrong.wickets != nil { wrong.runs.batter = 0 }
        case .otherEnd:
            guard ball.wickets == nil else { return ball }
            swap(&wrong.batter, &wrong.nonStriker)
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
