// Providers do not report declarations and the time of penalty runs; both follow from the balls.

internal import MatchEngine

/// Infers how an innings was closed, and whether penalty runs came before or after it.
struct InningsInference {
    /// The balls of the innings, in order.
    let balls: ArraySlice<Delivery>

    /// Marks a closed innings of a match without a limit of overs as declared when batters were left.
    ///
    /// Without balls and without a total it was forfeited, if a later innings follows (cricket.md C.13).
    func close(_ frame: inout InningsInfo, isFollowed: Bool) {
        guard frame.isClosed, frame.superOver == nil, frame.ordinal < 4 else { return }
        if balls.isEmpty {
            frame.isForfeited = isFollowed && frame.reported == nil
            return
        }
        let out = balls.reduce(0) { $0 + $1.dismissals.count(where: \.kind.countsAsWicket) }
        frame.isDeclared = out + frame.absent.count + retired < RuleSet.lastWicket
    }

    /// Splits the penalty runs of an innings that are on no ball into those before the innings and those after it.
    ///
    /// `fall` is the score at the wicket of a batter by the scorecard; nil when it has none.
    func award(_ penalty: Int, to frame: inout InningsInfo, fall: (String) -> Int?) {
        let outside = penalty - balls.reduce(0) { $0 + $1.runs.penalty }
        guard outside > 0 else { return }
        // Without the score at a wicket nothing shows the time: an open innings can have had them before it alone.
        let before = awardedBefore(atMost: outside, fall) ?? (frame.isClosed ? 0 : outside)
        frame.penaltyBefore = before
        frame.penaltyAfter = outside - before
    }

    /// The difference between the score at the first wicket and the balls until then; nil when that score is unknown.
    private func awardedBefore(atMost outside: Int, _ fall: (String) -> Int?) -> Int? {
        var runs = 0
        for ball in balls {
            runs += ball.runs.total
            if let wicket = ball.dismissals.first(where: \.kind.countsAsWicket) {
                return fall(wicket.out.id).map { min(max(runs, $0) - runs, outside) }
            }
        }
        return nil
    }

    /// Batters who left unbeaten and did not return.
    private var retired: Int {
        var gone: Set<String> = []
        for ball in balls {
            gone.remove(ball.striker.id)
            gone.remove(ball.nonStriker.id)
            for dismissal in ball.dismissals where !dismissal.kind.countsAsWicket { gone.insert(dismissal.out.id) }
        }
        return gone.count
    }
}

extension ReportedTotal {
    /// Whether the total shows that the innings has begun; penalty runs may be awarded before its first ball.
    func showsPlay(beyond penalty: Int) -> Bool { runs > penalty || wickets > 0 || balls > 0 }
}
