// An old over is requested again only where balls and scorecard disagree about a batter.

internal import ScoreTypes

/// The pages whose balls disagree with the batters of the scorecard.
///
/// The totals agree even if a ball has the wrong batter, and do not show in which over a run or a wicket is wrong.
struct RoanuzMismatch {
    /// The keys of the pages with those batters.
    private(set) var parts: Set<ReplyPart> = []

    /// A batter by the balls.
    private struct Made {
        var runs = 0
        var balls = 0
        /// The pages with those balls, each once.
        var pages: [ReplyPart] = []
        /// The page with the wicket.
        var out: ReplyPart?

        mutating func face(_ ball: RoanuzBall, on page: ReplyPart) {
            runs &+= ball.batsman.runs
            balls &+= ball.batsman.ballCount ?? 0
            if pages.last != page { pages.append(page) }
        }
    }

    /// Compares the scorecard with the balls of the held overs, each with its page.
    init(_ overs: [(part: ReplyPart, over: RoanuzPage.Over)], _ match: RoanuzMatch) {
        let made = Self.made(overs, match.play?.relatedBalls ?? [:])
        for (innings, total) in match.play?.innings ?? [:] {
            guard let number = RoanuzInningsKey(innings)?.number else { continue }
            let batters = made[innings] ?? [:]
            let wickets = batters.values.count { $0.out != nil }
            for (batter, made) in batters {
                guard let card = match.players?[batter]?.score?[number]?.batting else { continue }
                let (runs, balls) = (card.score?.runs ?? made.runs, card.score?.balls ?? made.balls)
                // Fewer runs than on the scorecard may be a ball that is still to come, unless as many balls were
                // faced.
                if made.runs > runs || made.balls > balls || made.balls == balls && made.runs < runs {
                    parts.formUnion(made.pages)
                }
                // A retired batter is out on the scorecard and on no ball, so a single difference is no mismatch.
                if wickets < total.wickets ?? 0, made.out == nil, card.dismissal != nil { parts.formUnion(made.pages) }
                if wickets > total.wickets ?? wickets, card.dismissal == nil, let page = made.out { parts.insert(page) }
            }
        }
    }

    /// The batters of each innings; the sums of a hostile page may wrap around, and match nothing then.
    private static func made(
        _ overs: [(part: ReplyPart, over: RoanuzPage.Over)],
        _ related: [String: RoanuzBall]
    ) -> [String: [String: Made]] {
        var made: [String: [String: Made]] = [:]
        for (part, over) in overs {
            for ball in over.balls {
                let ball = RoanuzPages.newest(ball, related)
                made[over.index.innings, default: [:]][ball.batsman.playerKey, default: Made()].face(ball, on: part)
                guard let out = ball.wicket?.playerKey else { continue }
                made[over.index.innings, default: [:]][out, default: Made()].out = part
            }
        }
        return made
    }
}
