// Titles and bodies of moments about a bowler.

extension Moment {
    /// A bowler's third, fourth, fifth … wicket of an innings.
    static func haul(_ line: BowlerLine, rules: RuleSet, at place: MomentPlace) -> Moment {
        let overs = line.overs(ballsPerOver: rules.ballsPerOver).text(in: rules)
        let words = [3: "Three wickets", 4: "Four wickets", 5: "Five wickets!"]
        return Moment(
            "\(line.wickets)w:\(place.innings.ordinal):\(line.player.id)",
            line.wickets >= 5 ? .fiveWickets : .wicketHaul,
            at: place,
            subject: line.player.id,
            side: place.innings.batting.opponent,
            title: words[line.wickets] ?? "\(line.wickets) wickets!",
            body: "\(name(line.player)) \(line.figures) (\(overs))"
        )
    }

    /// A bowler's ten wickets in both innings of a match.
    static func ten(_ line: BowlerLine, at place: MomentPlace) -> Moment {
        Moment(
            "10m:\(line.player.id)",
            .tenInMatch,
            at: place,
            subject: line.player.id,
            side: place.innings.batting.opponent,
            title: "Ten in the match!",
            body: "\(name(line.player)) \(line.figures), ten wickets in the match"
        )
    }

    /// Wickets with two, three, four or more successive balls of a bowler; `count` numbers repetitions in the innings.
    static func streak(_ line: BowlerLine, _ kind: Kind, of run: Int, count: Int, at place: MomentPlace) -> Moment {
        let title =
            switch kind {
            case .onHatTrick: "On a hat-trick"
            case .fourInFour: run == 4 ? "Four in four!" : run == 5 ? "Five in five!" : "\(run) in \(run)!"
            default: "Hat-trick!"
            }
        return Moment(
            "h\(run):\(place.innings.ordinal):\(line.player.id)\(count > 1 ? ":\(count)" : "")",
            kind,
            at: place,
            subject: line.player.id,
            side: place.innings.batting.opponent,
            title: title,
            body: "\(name(line.player)) \(line.figures)",
            flash: "W"
        )
    }

    /// Two wickets of one bowler in one over.
    static func doubleWicketOver(_ line: BowlerLine, _ over: Int, at place: MomentPlace) -> Moment {
        Moment(
            "d2:\(place.innings.ordinal):\(over)",
            .doubleWicketOver,
            at: place,
            subject: line.player.id,
            side: place.innings.batting.opponent,
            title: "Two in the over",
            body: "\(name(line.player)) \(line.figures)",
            flash: "W"
        )
    }

    /// An over without runs charged to its bowler; the title states its wickets.
    static func maiden(
        _ line: BowlerLine,
        key: String,
        wickets: Int,
        _ rules: RuleSet,
        at place: MomentPlace
    ) -> Moment {
        let title =
            switch wickets {
            case 0: "Maiden"
            case 1: "Wicket maiden"
            case 2: "Double-wicket maiden"
            case 3: "Triple-wicket maiden"
            default: "\(wickets)-wicket maiden"
            }
        let overs = line.overs(ballsPerOver: rules.ballsPerOver).text(in: rules)
        return Moment(
            key,
            .maiden,
            at: place,
            subject: line.player.id,
            side: place.innings.batting.opponent,
            title: title,
            body: "\(name(line.player)) \(overs)-\(line.maidens)-\(line.runs)-\(line.wickets)"
        )
    }
}
