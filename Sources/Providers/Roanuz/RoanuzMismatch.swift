// An old over is asked for again only where something does not fit: the card tells which batters were given what is not

internal import ScoreTypes

// theirs, or not what is.

/// Where the balls of a match are not what its card says of the batters.
///
/// The totals fit though a ball was given to the wrong batter, and hardly say in which over a run or a wicket is wrong.
struct RoanuzMismatch {
    /// The pages in which those batters are.
    private(set) var parts: Set<ReplyPart> = []

    private struct Batter: Hashable {
        let innings: String
        let player: String
    }

    /// What the balls make of a batter.
    private struct Made {
        var runs = 0
        var balls = 0
        var pages: Set<ReplyPart> = []
        /// The page with the wicket.
        var out: ReplyPart?
    }

    /// Compares.
    ///
    /// - Parameters:
    ///   - pages: The pages that are held, the newest first; of an over that is there twice the first counts.
    ///   - match: The match with its card.
    init(_ pages: [(part: ReplyPart, page: RoanuzPage)], _ match: RoanuzMatch) {
        let made = Self.made(pages, match.play?.relatedBalls ?? [:])
        for (innings, total) in match.play?.innings ?? [:] {
            guard let number = RoanuzInningsKey(innings)?.number else { continue }
            let batters = made.filter { $0.key.innings == innings }
            let wickets = batters.values.count { $0.out != nil }
            for (batter, made) in batters {
                guard let card = match.players?[batter.player]?.score?[number]?.batting else { continue }
                let (runs, balls) = (card.score?.runs ?? made.runs, card.score?.balls ?? made.balls)
                // Less than on the card may be a ball that is still to come, but not when he has faced as many.
                if made.runs > runs || made.balls > balls || made.balls == balls && made.runs < runs {
                    parts.formUnion(made.pages)
                }
                // Who retires is out on the card and on no ball, so one alone says nothing.
                if wickets < total.wickets ?? 0, made.out == nil, card.dismissal != nil { parts.formUnion(made.pages) }
                if wickets > total.wickets ?? wickets, card.dismissal == nil, let page = made.out { parts.insert(page) }
            }
        }
    }

    /// Sums of a hostile page wrap around and fit nothing.
    private static func made(
        _ pages: [(part: ReplyPart, page: RoanuzPage)],
        _ related: [String: RoanuzBall]
    ) -> [Batter: Made] {
        var made: [Batter: Made] = [:]
        var seen: Set<String> = []
        for (part, page) in pages {
            guard let over = page.over else { continue }
            let innings = over.index.innings
            guard seen.insert("\(innings)_\(over.index.overNumber)").inserted else { continue }
            for ball in over.balls {
                let ball = RoanuzPages.newest(ball, related)
                let striker = Batter(innings: innings, player: ball.batsman.playerKey)
                var sum = made[striker] ?? Made()
                sum.runs &+= ball.batsman.runs
                sum.balls &+= ball.batsman.ballCount ?? 0
                sum.pages.insert(part)
                made[striker] = sum
                guard let out = ball.wicket?.playerKey else { continue }
                made[Batter(innings: innings, player: out), default: Made()].out = part
            }
        }
        return made
    }
}
