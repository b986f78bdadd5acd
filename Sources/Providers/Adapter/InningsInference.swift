// Some facts of an innings no provider has a word for; the balls and what came after them tell.

internal import MatchEngine

/// Works out how an innings was closed, and when penalty runs were given, where a feed only has totals.
struct InningsInference {
    /// The balls of the innings, in order.
    let balls: [Delivery]

    /// Closes an innings of a match that only time limits: by its captain, when batters were left and play went on.
    ///
    /// - Parameters:
    ///   - frame: The innings, with its absent batters, already known to be closed.
    ///   - isFollowed: Whether a later innings is known.
    func close(_ frame: inout InningsInfo, isFollowed: Bool) {
        guard frame.isClosed, frame.superOver == nil, frame.ordinal < 4 else { return }
        if balls.isEmpty {
            frame.isForfeited = isFollowed
            return
        }
        let out = balls.reduce(0) { $0 + $1.dismissals.count { !$0.kind.leavesUnbeaten } }
        frame.isDeclared = out + frame.absent.count + retired < RuleSet.lastWicket
    }

    /// Splits penalty runs that stand on no ball into those given before the innings and those given after it.
    ///
    /// - Parameters:
    ///   - outside: The runs.
    ///   - frame: The innings.
    ///   - fall: The score that the card has for the wicket of a ball; nil when it has none.
    func award(_ outside: Int, to frame: inout InningsInfo, fall: (Delivery) -> Int?) {
        guard outside > 0 else { return }
        let before = frame.isClosed ? awardedBefore(atMost: outside, fall) : outside
        frame.penaltyBefore = before
        frame.penaltyAfter = outside - before
    }

    /// What the score at the first wicket has more than the balls until then.
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

    /// Batters who left unbeaten and did not come back.
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
    /// Whether it takes no wicket.
    var leavesUnbeaten: Bool { self == .retiredHurt || self == .retiredNotOut }
}

extension DeliveryRuns {
    /// All runs of the ball.
    var total: Int { bat + wides + noBalls + byes + legByes + penalty }
}
