// Providers do not report declarations and the time of penalty runs; both follow from the balls.

internal import MatchEngine

/// Infers how an innings was closed, and whether penalty runs came before or after it.
struct InningsInference {
    /// The balls of the innings, in order.
    let balls: [Delivery]

    /// Marks a closed innings of a match without a limit of overs as declared when batters were left.
    ///
    /// Without balls it was forfeited, if a later innings follows.
    func close(_ frame: inout InningsInfo, isFollowed: Bool) {
        guard frame.isClosed, frame.superOver == nil, frame.ordinal < 4 else { return }
        if balls.isEmpty {
            frame.isForfeited = isFollowed
            return
        }
        let out = balls.reduce(0) { $0 + $1.dismissals.count { !$0.kind.leavesUnbeaten } }
        frame.isDeclared = out + frame.absent.count + retired < RuleSet.lastWicket
    }

    /// Splits penalty runs that are on no ball into those before the innings and those after it.
    ///
    /// `fall` is the score at the wicket of a ball by the scorecard; nil when it has none.
    func award(_ outside: Int, to frame: inout InningsInfo, fall: (Delivery) -> Int?) {
        guard outside > 0 else { return }
        let before = frame.isClosed ? awardedBefore(atMost: outside, fall) : outside
        frame.penaltyBefore = before
        frame.penaltyAfter = outside - before
    }

    /// The difference between the score at the first wicket and the balls until then.
    private func awardedBefore(atMost outside: Int, _ fall: (Delivery) -> Int?) -> Int {
        var runs = 0
        for ball in balls {
            runs += ball.runs.total
            if ball.dismissals.contains(where: { !$0.kind.leavesUnbeaten }) {
                return fall(ball).map { min(max(0, $0 - runs), outside) } ?? 0
            }
        }
        return 0
    }

    /// Batters who left unbeaten and did not return.
    private var retired: Int {
        var gone: Set<String> = []
        for ball in balls {
            gone.remove(ball.striker.id)
            gone.remove(ball.nonStriker.id)
            for dismissal in ball.dismissals where dismissal.kind.leavesUnbeaten { gone.insert(dismissal.out.id) }
        }
        return gone.count
    }
}

extension DismissalKind {
    /// Whether it does not count as a wicket.
    var leavesUnbeaten: Bool { self == .retiredHurt || self == .retiredNotOut }
}

extension DeliveryRuns {
    /// All runs of the ball.
    var total: Int { bat + wides + noBalls + byes + legByes + penalty }
}
