// Generates a match of any length from a seed, with the mix of balls of recorded matches.

import MatchEngine

/// Writes matches for measurements; the same arguments give the same match.
struct WrittenMatch {
    /// The frame and every innings.
    private(set) var frame: [Change] = []
    /// The balls in order.
    private(set) var deliveries: [Delivery] = []
    private var random: UInt64

    /// A match of so many innings of so many deliveries each.
    init(_ format: Format, innings: Int, balls: Int, seed: UInt64 = 1) {
        random = seed
        let names = ["India", "Australia"]
        let teams = names.map { name in
            TeamInfo(id: name, name: name, players: (1...11).map { Self.player($0, of: name) })
        }
        let limit = format.isLimitedOvers ? balls : nil
        frame.append(.info(MatchInfo(format: format, ballLimit: limit, teams: teams, venue: "Eden Gardens")))
        frame.append(.status(StatusReport(status: .live)))
        for ordinal in 1...innings {
            let batting: Side = ordinal.isMultiple(of: 2) ? .second : .first
            frame.append(.innings(InningsInfo(ordinal: ordinal, batting: batting, isClosed: ordinal < innings)))
            write(ordinal, batting: names[batting.rawValue], bowling: names[batting.opponent.rawValue], balls: balls)
        }
    }

    /// Everything, frame first.
    var changes: [Change] { frame + deliveries.map { .inserted($0) } }

    private static func player(_ number: Int, of team: String) -> Player {
        Player(id: "\(team.prefix(3).lowercased())-\(number)", name: "\(team.prefix(1)) Cricketer\(number)")
    }

    private mutating func write(_ ordinal: Int, batting: String, bowling: String, balls: Int) {
        var legal = 0
        var out = 0
        for number in 1...balls {
            let over = legal / 6
            let pick = next(1000)
            let isWicket = pick < 22 && out < 9
            let runs = isWicket ? DeliveryRuns() : Self.runs(pick)
            let striker = Self.player(out + 1, of: batting)
            let isLegal = runs.wides == 0 && runs.noBalls == 0
            deliveries.append(
                Delivery(
                    key: DeliveryKey("\(ordinal).\(over).\(number)"),
                    order: OrderKey(Int64(ordinal) << 32 | Int64(number)),
                    innings: ordinal,
                    over: over,
                    striker: striker,
                    nonStriker: Self.player(out + 2, of: batting),
                    bowler: Self.player(7 + over % 5, of: bowling),
                    runs: runs,
                    isLegal: isLegal,
                    dismissals: isWicket
                        ? [Dismissal(kind: .caught, out: striker, fielders: [Fielder(name: "A Fielder")])] : []
                )
            )
            if isWicket { out += 1 }
            if isLegal { legal += 1 }
        }
    }

    private static func runs(_ pick: UInt64) -> DeliveryRuns {
        switch pick {
        case ..<50: DeliveryRuns(wides: 1)
        case ..<56: DeliveryRuns(noBalls: 1)
        case ..<66: DeliveryRuns(legByes: 1)
        case ..<400: DeliveryRuns(bat: 1)
        case ..<460: DeliveryRuns(bat: 2)
        case ..<540: DeliveryRuns(bat: 4)
        case ..<570: DeliveryRuns(bat: 6)
        default: DeliveryRuns()
        }
    }

    private mutating func next(_ bound: UInt64) -> UInt64 {
        random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return (random >> 33) % bound
    }
}
