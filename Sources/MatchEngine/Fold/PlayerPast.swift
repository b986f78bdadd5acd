// A few milestones reach over the innings of a match: hat-tricks, ten wickets, a pair.

/// What a player brings from the earlier innings of the match.
struct PlayerPast: Sendable, Hashable {
    /// Wickets off the last successive balls bowled.
    var run = 0
    /// Wickets credited.
    var wickets = 0
    /// Whether he or she was out for nothing.
    var isDuck = false
    /// Whether that was off the first ball.
    var isGoldenDuck = false
}

/// What players bring, by id; only those who bring something.
typealias Streaks = [String: PlayerPast]

/// Wickets off a bowler's successive balls.
struct BowlerStreak: Sendable {
    /// Successive balls that took one.
    var run = 0
    /// How often it came to two in this innings.
    var twos = 0
    /// How often it came to three.
    var hatTricks = 0
}

extension InningsFold {
    /// What this innings leaves behind; super overs leave nothing of their own.
    var streaksAfter: Streaks {
        if card.isSuperOver { return streaksBefore }
        var after = streaksBefore
        for (line, streak) in zip(card.bowlers, streaks) {
            after[line.player.id, default: PlayerPast()].run = streak.run
            if tally.isOfTwoInnings { after[line.player.id]?.wickets += line.wickets }
        }
        if tally.isOfTwoInnings {
            for line in card.batters where line.isDuck {
                after[line.player.id, default: PlayerPast()].isDuck = true
                if line.isGoldenDuck { after[line.player.id]?.isGoldenDuck = true }
            }
        }
        for line in card.bowlers where after[line.player.id] == PlayerPast() { after[line.player.id] = nil }
        return after
    }

    /// `golden duck`, `duck`, `king pair`; nil for a batter who made runs.
    func duckWord(_ line: BatterLine) -> String? {
        guard line.isDuck else { return nil }
        let past = streaksBefore[line.player.id]
        if past?.isGoldenDuck == true && line.isGoldenDuck { return "king pair" }
        if past?.isDuck == true { return "pair" }
        return line.isGoldenDuck ? "golden duck" : "duck"
    }
}

extension BatterLine {
    /// Out for nothing.
    var isDuck: Bool { status == .out && runs == 0 }
    /// Out for nothing off the first ball faced.
    var isGoldenDuck: Bool { isDuck && balls == 1 }
}
