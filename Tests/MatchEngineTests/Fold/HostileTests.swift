// No number, name or order that a feed may send stops the engine.

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct HostileTests {
    private static let numbers = [Int.min, -1, 0, 1, 7, 100, 1 << 40, .max]

    @Test(arguments: [UInt64(31), 32, 33, 34, 35, 36])
    func anyNumbersFoldAndDraw(seed: UInt64) {
        var generator = Seeded(seed)
        func number() -> Int { Self.numbers.randomElement(using: &generator) ?? 0 }
        func name() -> String { ["", "A", "B B", "C\u{0}D", "É"].randomElement(using: &generator) ?? "" }
        func side() -> Side { Bool.random(using: &generator) ? .first : .second }
        func target() -> Target { Target(runs: number(), balls: number(), method: name()) }
        func delivery(_ index: Int) -> Delivery {
            Delivery(
                key: DeliveryKey("\(index % 50)"),
                order: OrderKey(Int64(number())),
                innings: number(),
                over: number(),
                striker: .named(name()),
                nonStriker: .named(name()),
                bowler: .named(name()),
                runs: DeliveryRuns(
                    bat: number(),
                    wides: number(),
                    noBalls: number(),
                    byes: number(),
                    penalty: number()
                ),
                isLegal: Bool.random(using: &generator),
                dismissals: Bool.random(using: &generator)
                    ? [
                        Dismissal(
                            kind: DismissalKind.allCases.randomElement(using: &generator) ?? .other,
                            out: .named(name())
                        )
                    ]
                    : []
            )
        }
        var replica = MatchReplica()
        for index in 0..<400 {
            let change: Change =
                switch Int.random(in: 0..<8, using: &generator) {
                case 0:
                    .info(
                        MatchInfo(
                            format: Format.allCases.randomElement(using: &generator) ?? .t20,
                            ballsPerOver: number(),
                            ballLimit: number(),
                            teams: [TeamInfo(id: name(), name: name(), abbreviation: name())]
                        )
                    )
                case 1:
                    .innings(
                        InningsInfo(
                            ordinal: number(),
                            batting: side(),
                            superOver: Bool.random(using: &generator) ? number() : nil,
                            target: target(),
                            isDeclared: Bool.random(using: &generator),
                            absent: [.named(name())],
                            penaltyBefore: number(),
                            penaltyAfter: number()
                        )
                    )
                case 2: .inningsWithdrawn(ordinal: number())
                case 3:
                    .status(
                        StatusReport(
                            status: MatchStatus.allCases.randomElement(using: &generator) ?? .live,
                            note: "Day \(number())",
                            since: Int64(number()),
                            day: number()
                        )
                    )
                case 4: .result(ProviderResult(kind: .runs(number()), winner: side(), method: name()))
                case 5: .withdrawn(DeliveryKey("\(index % 50)"))
                default: .inserted(delivery(index))
                }
            replica.apply(change)
            let info = replica.record.info ?? MatchInfo(format: .t20, teams: [])
            let content = ContentStateRenderer.render(replica.state, info: info, revision: Int64(number()))
            #expect(ContentStateRenderer.bytes(of: content).count <= 3_500, "seed \(seed)")
            #expect(content.minimal.text.count <= 7 && content.small.line.count <= 24, "seed \(seed)")
        }
    }

    @Test func hugeSumsStayNumbers() {
        var script = MatchScript.t20()
        script.begin(.first)
        for _ in 0..<2_000 { script.add(runs: DeliveryRuns(bat: .max, wides: .max, penalty: .max), over: .max) }
        let card = script.state.innings[0]
        #expect(card.runs == 2_000 * 3_000)
        script.drawn().expectWithinLimits()
    }

    @Test func ballsWithoutAnInningsWaitForIt() {
        let script = ChaseExample.script
        var replica = MatchReplica()
        replica.apply(script.deliveries.map { .inserted($0) })
        #expect(replica.state.innings.isEmpty)
        replica.apply(script.changes)
        #expect(replica.state == script.state)
    }
}
