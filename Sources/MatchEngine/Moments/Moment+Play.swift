// Titles and bodies of moments about a batter, a pair or a side.

extension Moment {
    /// A wicket, counted from 1 in its innings; `word` is the term for a batter out for nought, such as `golden duck`.
    static func wicket(
        _ number: Int,
        of batter: BatterLine,
        word: String?,
        in innings: InningsInfo,
        on ball: DeliveryKey,
        _ level: MomentPolicy.Level
    ) -> Moment {
        let duck = word.map { ", \($0)" } ?? ""
        return Moment(
            "w:\(innings.ordinal):\(number)",
            .wicket,
            level,
            subject: batter.player.id,
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting.opponent,
            title: "Wicket!",
            body: "\(name(batter.player)) \(batter.howOut) \(batter.runs)(\(batter.balls))\(duck)",
            flash: "W"
        )
    }

    /// A batter's fifty, hundred or a further step of fifty.
    static func batter(
        _ line: BatterLine,
        reached runs: Int,
        in innings: InningsInfo,
        on ball: DeliveryKey,
        _ level: MomentPolicy.Level
    ) -> Moment {
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
            "b\(runs):\(innings.ordinal):\(line.player.id)",
            runs >= 100 ? .hundred : .fifty,
            level,
            subject: line.player.id,
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting,
            title: title,
            body: "\(name(line.player)) \(line.runs) (\(line.balls) balls, \(line.fours)x4 \(line.sixes)x6)",
            flash: String(runs)
        )
    }

    /// A side's fifty and every further multiple of fifty.
    static func team(
        _ runs: Int,
        score: String,
        in innings: InningsInfo,
        on ball: DeliveryKey,
        _ level: MomentPolicy.Level
    ) -> Moment {
        Moment(
            "t\(runs):\(innings.ordinal)",
            .teamMilestone,
            level,
            subject: String(innings.batting.rawValue),
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting,
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
        in innings: InningsInfo,
        on ball: DeliveryKey,
        _ level: MomentPolicy.Level
    ) -> Moment {
        let names = shares.map { PersonName($0.name).surname }
        let parts = zip(names, shares).map { "\($0) \($1.runs)" }.joined(separator: ", ")
        let extras = stand.extras > 0 ? ", extras \(stand.extras)" : ""
        return Moment(
            "p\(runs):\(innings.ordinal):\(number)",
            .partnership,
            level,
            subject: names.joined(separator: " and "),
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting,
            title: "\(runs) partnership",
            body: "\(parts) (\(stand.balls) balls\(extras))"
        )
    }

    /// Five successive sixes, or six in one over.
    static func sixes(
        _ line: BatterLine,
        of over: Int,
        _ kind: Kind,
        in innings: InningsInfo,
        on ball: DeliveryKey,
        _ level: MomentPolicy.Level
    ) -> Moment {
        Moment(
            "\(kind == .sixSixes ? "s6" : "s5"):\(innings.ordinal):\(over)",
            kind,
            level,
            subject: line.player.id,
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting,
            title: kind == .sixSixes ? "Six sixes in the over!" : "Five sixes running!",
            body: "\(name(line.player)) \(line.runs)(\(line.balls))",
            flash: "6"
        )
    }

    /// A ball hit to the boundary (Law 19).
    static func boundary(_ line: BatterLine, isSix: Bool, in innings: InningsInfo, on ball: DeliveryKey) -> Moment {
        Moment(
            "x:\(ball.text)",
            isSix ? .six : .four,
            .flash,
            subject: line.player.id,
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting,
            title: isSix ? "Six!" : "Four!",
            body: "\(name(line.player)) \(line.runs)(\(line.balls))",
            flash: isSix ? "6" : "4"
        )
    }

    /// Penalty runs awarded to the batting side; at most one award per ball is announced.
    static func penalty(
        _ runs: Int,
        to side: String,
        in innings: InningsInfo,
        on ball: DeliveryKey,
        _ level: MomentPolicy.Level
    ) -> Moment {
        Moment(
            "pen:\(ball.text)",
            .penaltyRuns,
            level,
            subject: String(innings.batting.rawValue),
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting,
            title: "Penalty runs",
            body: "\(runs) penalty runs to \(side)"
        )
    }

    /// A name as it is printed in a sentence.
    static func name(_ player: Player) -> String { PersonName(player.name).full }
}
