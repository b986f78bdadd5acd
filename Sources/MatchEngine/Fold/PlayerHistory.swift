// Some milestones span the innings of a match: hat-tricks, ten wickets, a pair of ducks.

internal import LiveSurface

/// Counts that a player carries over from the earlier innings of the match.
struct PlayerHistory: Sendable, Hashable {
    /// Wickets with the last successive balls bowled.
    var run = 0
    /// Wickets credited to the bowler.
    var wickets = 0
    /// Whether the batter was out for nought.
    var isDuck = false
    /// Whether that was off the first ball faced.
    var isGoldenDuck = false
}

/// The histories by player id; players without counts are absent.
typealias PlayerHistories = [String: PlayerHistory]

/// Wickets off a bowler's successive balls in one innings.
struct BowlerStreak: Sendable {
    /// Current number of successive balls with a wicket.
    var run = 0
    /// How often two in succession were reached in this innings.
    var twos = 0
    /// How often three in succession were reached in this innings.
    var hatTricks = 0
}

extension InningsFold {
    /// The histories for the next innings; a super over adds nothing.
    var historiesAfter: PlayerHistories {
        if card.isSuperOver { return historiesBefore }
        var after = historiesBefore
        for (line, streak) in zip(card.bowlers, streaks) {
            after[line.player.id, default: PlayerHistory()].run = streak.run
            if counters.isOfTwoInnings { after[line.player.id]?.wickets += line.wickets }
        }
        if counters.isOfTwoInnings {
            for line in card.batters where line.isDuck {
                after[line.player.id, default: PlayerHistory()].isDuck = true
                if line.isGoldenDuck { after[line.player.id]?.isGoldenDuck = true }
            }
        }
        for line in card.bowlers where after[line.player.id] == PlayerHistory() { after[line.player.id] = nil }
        return after
    }

    /// The sentence of a wicket: with golden duck, duck, pair or king pair for a batter without runs (cricket.md C.12).
    func outKey(_ line: BatterLine) -> NotificationKey {
        guard line.isDuck else { return .out }
        let past = historiesBefore[line.player.id]
        if past?.isGoldenDuck == true && line.isGoldenDuck { return .outKingPair }
        if past?.isDuck == true { return .outPair }
        return line.isGoldenDuck ? .outGoldenDuck : .outDuck
    }
}

extension BatterLine {
    /// Out for nothing.
    var isDuck: Bool { status == .out && runs == 0 }
    /// Out for nothing off the first ball faced.
    var isGoldenDuck: Bool { isDuck && balls == 1 }
}
