// A feed that sends anything its types can hold.

import ScoreTypes

@testable import MatchEngine

/// Changes drawn from a seed, with the worst numbers and names in every field.
struct HostileFeed {
    private var generator: SplitMix64

    init(seed: UInt64) { generator = SplitMix64(seed: seed) }

    mutating func change() -> Change {
        switch Int.random(in: 0..<8, using: &generator) {
        case 0: .info(info())
        case 1: .innings(innings())
        case 2: .inningsWithdrawn(ordinal: number())
        case 3: .status(report())
        case 4: .result(ProviderResult(kind: .runs(number()), winner: side(), method: name()))
        case 5: .withdrawn(key())
        default: .inserted(delivery())
        }
    }

    mutating func number() -> Int {
        [Int.min, -1, 0, 1, 2, 7, 100, 1 << 40, .max].randomElement(using: &generator) ?? 0
    }

    private mutating func name() -> String {
        let long = String(repeating: "Very Long Name ", count: 20)
        let names = [
            "", "A", "B B", "C\u{0}D", "É", long, "\u{202e}evil", "\u{2066}x\u{2069}", "👩‍👩‍👧‍👦 Family", "(1)", "  ",
        ]
        return names.randomElement(using: &generator) ?? ""
    }

    private mutating func side() -> Side { flip() ? .first : .second }
    private mutating func flip() -> Bool { Bool.random(using: &generator) }
    private mutating func key() -> DeliveryKey { DeliveryKey(String(Int.random(in: 0..<50, using: &generator))) }

    private mutating func info() -> MatchInfo {
        MatchInfo(
            format: Format.allCases.randomElement(using: &generator) ?? .t20,
            ballsPerOver: number(),
            ballLimit: number(),
            teams: [TeamInfo(id: name(), name: name(), abbreviation: name())]
        )
    }

    private mutating func innings() -> InningsInfo {
        InningsInfo(
            ordinal: number(),
            batting: side(),
            superOver: flip() ? number() : nil,
            target: Target(runs: number(), balls: number(), method: name()),
            isDeclared: flip(),
            absent: [.named(name())],
            penaltyBefore: number(),
            penaltyAfter: number(),
            powerplays: [
                Powerplay(
                    kind: name(),
                    first: BallLabel(over: number(), ball: number()),
                    last: BallLabel(over: number(), ball: number())
                )
            ],
            crease: flip() ? Crease(striker: .named(name()), nonStriker: .named(name())) : nil
        )
    }

    private mutating func report() -> StatusReport {
        StatusReport(
            status: MatchStatus.allCases.randomElement(using: &generator) ?? .live,
            note: "Day \(number())",
            since: Int64(number()),
            day: number(),
            session: number()
        )
    }

    private mutating func delivery() -> Delivery {
        let kind = DismissalKind.allCases.randomElement(using: &generator) ?? .other
        let dismissals = flip() ? [Dismissal(kind: kind, out: .named(name()))] : []
        return Delivery(
            key: key(),
            order: OrderKey(Int64(number())),
            innings: number(),
            over: number(),
            striker: .named(name()),
            nonStriker: .named(name()),
            bowler: .named(name()),
            runs: DeliveryRuns(bat: number(), wides: number(), noBalls: number(), byes: number(), penalty: number()),
            isLegal: flip(),
            dismissals: dismissals,
            reviews: flip() ? [Review(side: side(), batter: .named(name()), decision: .struckDown)] : [],
            replacements: flip()
                ? [Replacement(scope: .match, incoming: .named(name()), outgoing: .named(name()), reason: .concussion)]
                : []
        )
    }
}
