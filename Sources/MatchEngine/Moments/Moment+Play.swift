// Titles and bodies of moments about a batter, a pair or a side.

extension Moment {
    /// A wicket, counted from 1 in its innings; `word` is the term for a batter out for nought, such as `golden duck`.
    static func wicket(_ number: Int, of batter: BatterLine, word: String?, at place: MomentPlace) -> Moment {
        let duck = word.map { ", \($0)" } ?? ""
        return Moment(
            "w:\(place.innings.ordinal):\(number)",
            .wicket,
            at: place,
            subject: batter.player.id,
            side: place.innings.batting.opponent,
            title: "Wicket!",
            body: "\(name(batter.player)) \(batter.howOut) \(batter.runs)(\(batter.balls))\(duck)",
            flash: "W"
        )
    }

    /// A batter's fifty, hundred or a further step of fifty.
    static func batter(_ line: BatterLine, reached runs: Int, at place: MomentPlace) -> Moment {
        let title =
            switch runs {
            case 50: "Fifty!"
            case 100: "Hundred!"
            case 200: "Double hundred!"
            case 300: "Triple hundred!"
            case 400: "Quadruple hundred!"
            default: "\(runs)!"
            }
        return Moment(
            "b\(runs):\(place.innings.ordinal):\(line.player.id)",
            runs >= 100 ? .hundred : .fifty,
            at: place,
            subject: line.player.id,
            side: place.innings.batting,
            title: title,
            body: "\(name(line.player)) \(line.runs) (\(line.balls) balls, \(line.fours)x4 \(line.sixes)x6)",
            flash: String(runs)
        )
    }

    /// A side's fifty and every further multiple of fifty.
    static func team(_ runs: Int, score: String, at place: MomentPlace) -> Moment {
        Moment(
            "t\(runs):\(place.innings.ordinal)",
            .teamMilestone,
            at: place,
            side: place.innings.batting,
            title: "\(runs) up",
            body: score
        )
    }

    /// A partnership of fifty and every further fifty; `number` counts the partnerships of the innings from 1.
    static func partnership(
        _ stand: Partnership,
        _ runs: Int,
        shares: [(name: String, runs: Int)],
        _ number: Int,
        at place: MomentPlace
    ) -> Moment {
        let names = shares.map { PersonName($0.name).surname }
        let parts = zip(names, shares).map { "\($0) \($1.runs)" }.joined(separator: ", ")
        let extras = stand.extras > 0 ? ", extras \(stand.extras)" : ""
        return Moment(
            "p\(runs):\(place.innings.ordinal):\(number)",
            .partnership,
            at: place,
            subject: names.joined(separator: " and "),
            side: place.innings.batting,
            title: "\(runs) partnership",
            body: "\(parts) (\(stand.balls) balls\(extras))"
        )
    }

    /// Five successive sixes, or six in one over.
    static func sixes(_ line: BatterLine, of over: Int, _ kind: Kind, at place: MomentPlace) -> Moment {
        Moment(
            "\(kind == .sixSixes ? "s6" : "s5"):\(place.innings.ordinal):\(over)",
            kind,
            at: place,
            subject: line.player.id,
            side: place.innings.batting,
            title: kind == .sixSixes ? "Six sixes in the over!" : "Five sixes running!",
            body: "\(name(line.player)) \(line.runs)(\(line.balls))",
            flash: "6"
        )
    }

    /// A ball hit to the boundary (Law 19).
    static func boundary(_ line: BatterLine, isSix: Bool, at place: MomentPlace) -> Moment {
        Moment(
            "x:\(place.ball.text)",
            isSix ? .six : .four,
            at: place,
            subject: line.player.id,
            side: place.innings.batting,
            title: isSix ? "Six!" : "Four!",
            body: "\(name(line.player)) \(line.runs)(\(line.balls))",
            flash: isSix ? "6" : "4"
        )
    }

    /// Penalty runs awarded to the batting side; at most one award per ball is announced.
    static func penalty(_ runs: Int, to side: String, at place: MomentPlace) -> Moment {
        Moment(
            "pen:\(place.ball.text)",
            .penaltyRuns,
            at: place,
            side: place.innings.batting,
            title: "Penalty runs",
            body: "\(runs) penalty runs to \(side)"
        )
    }

    /// A name as it is printed in a sentence.
    static func name(_ player: Player) -> String { PersonName(player.name).full }
}
