// The moments that a single ball brings, each with its key, words and urgency.

/// Longest alert title and body in characters: what a Lock Screen shows without being opened.
enum AlertText {
    static let titleMax = 48
    static let bodyMax = 120
}

extension Moment {
    /// A wicket, counted from 1 in its innings.
    static func wicket(_ number: Int, of batter: BatterLine, in innings: InningsInfo, on ball: DeliveryKey) -> Moment {
        let name = PersonName(batter.player.name).full
        return Moment(
            key: MomentKey("w:\(innings.ordinal):\(number)"),
            kind: .wicket,
            subject: batter.player.id,
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting.opponent,
            title: "Wicket!",
            body: Clip.text("\(name) \(batter.howOut) \(batter.runs)(\(batter.balls))", AlertText.bodyMax),
            priority: .ten,
            relevance: 90,
            isAlert: true,
            flash: "W"
        )
    }

    /// A batter's fifty, hundred or a further step of fifty.
    static func batter(
        _ line: BatterLine,
        reached runs: Int,
        in innings: InningsInfo,
        on ball: DeliveryKey,
        fiftyIsLoud: Bool
    ) -> Moment {
        let isLoud = runs >= 100 || fiftyIsLoud
        let title =
            switch runs {
            case 50: "Fifty!"
            case 100: "Hundred!"
            case 200: "Double hundred!"
            case 300: "Triple hundred!"
            default: "\(runs)!"
            }
        let shots = "\(line.balls) balls, \(line.fours)x4 \(line.sixes)x6"
        return Moment(
            key: MomentKey("b\(runs):\(innings.ordinal):\(line.player.id)"),
            kind: runs >= 100 ? .hundred : .fifty,
            subject: line.player.id,
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting,
            title: title,
            body: Clip.text("\(PersonName(line.player.name).full) \(line.runs) (\(shots))", AlertText.bodyMax),
            priority: isLoud ? .ten : .five,
            relevance: runs >= 100 ? 90 : 60,
            isAlert: isLoud,
            flash: String(runs)
        )
    }

    /// A bowler's fifth, or tenth, wicket of an innings.
    static func haul(
        _ line: BowlerLine,
        of wickets: Int,
        in innings: InningsInfo,
        on ball: DeliveryKey,
        rules: RuleSet
    ) -> Moment {
        let overs = line.overs(ballsPerOver: rules.ballsPerOver).text(in: rules)
        return Moment(
            key: MomentKey("\(wickets)w:\(innings.ordinal):\(line.player.id)"),
            kind: .fiveWickets,
            subject: line.player.id,
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting.opponent,
            title: wickets == 5 ? "Five wickets!" : "\(wickets) wickets!",
            body: Clip.text("\(PersonName(line.player.name).full) \(line.figures) (\(overs))", AlertText.bodyMax),
            priority: .ten,
            relevance: 90,
            isAlert: true
        )
    }

    /// Three credited wickets off a bowler's successive balls; `count` tells a second hat-trick of the innings apart.
    static func hatTrick(_ line: BowlerLine, count: Int, in innings: InningsInfo, on ball: DeliveryKey) -> Moment {
        let again = count > 1 ? ":\(count)" : ""
        return Moment(
            key: MomentKey("h3:\(innings.ordinal):\(line.player.id)\(again)"),
            kind: .hatTrick,
            subject: line.player.id,
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting.opponent,
            title: "Hat-trick!",
            body: Clip.text("\(PersonName(line.player.name).full) \(line.figures)", AlertText.bodyMax),
            priority: .ten,
            relevance: 90,
            isAlert: true,
            flash: "W"
        )
    }

    /// A side's fifty and every further one.
    static func team(_ runs: Int, score: String, in innings: InningsInfo, on ball: DeliveryKey) -> Moment {
        Moment(
            key: MomentKey("t\(runs):\(innings.ordinal)"),
            kind: .teamMilestone,
            subject: String(innings.batting.rawValue),
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting,
            title: "\(runs) up",
            body: score,
            priority: .five,
            relevance: 50,
            isAlert: false
        )
    }

    /// Fifty and every further fifty between two batters; `number` counts the stands of the innings from 1.
    static func partnership(
        _ runs: Int,
        balls: Int,
        between names: [String],
        number: Int,
        in innings: InningsInfo,
        on ball: DeliveryKey
    ) -> Moment {
        let pair = names.map { PersonName($0).surname }.joined(separator: " and ")
        return Moment(
            key: MomentKey("p\(runs):\(innings.ordinal):\(number)"),
            kind: .partnership,
            subject: pair,
            delivery: ball,
            innings: innings.ordinal,
            side: innings.batting,
            title: "\(runs) partnership",
            body: Clip.text("\(pair) (\(balls) balls)", AlertText.bodyMax),
            priority: .five,
            relevance: 50,
            isAlert: false
        )
    }
}
