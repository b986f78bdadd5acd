// In whatever order the changes of a match arrive, the same record gives the same state.

import LiveSurface
import ScoreTypes
import Testing

@testable import MatchEngine

@Suite struct ReplicaTests {
    /// A match of both kinds with all events, drawn from a seed.
    static func random(_ format: Format, using generator: inout some RandomNumberGenerator) -> MatchScript {
        var script = format == .test ? MatchScript.test() : MatchScript.t20(balls: 60, format: format)
        let marks = [".", ".", "1", "1", "2", "3", "4", "6", "wd", "wd2", "nb", "nb5", "b1", "lb2", "b4", "W", "p5"]
        script.status(.live)
        for innings in 0..<(format == .test ? 4 : 2) {
            script.begin(innings.isMultiple(of: 2) ? .first : .second) { facts in
                if Int.random(in: 0..<6, using: &generator) == 0 { facts.penaltyBefore = 5 }
            }
            for _ in 0..<Int.random(in: 20...70, using: &generator) {
                let mark = marks.randomElement(using: &generator) ?? "."
                script.bowl(mark, by: ["One", "Two", "Three"].randomElement(using: &generator))
                if Int.random(in: 0..<40, using: &generator) == 0 {
                    let out = script.batter(script.striker)
                    script.add(dismissals: [Dismissal(kind: .retiredHurt, out: out)])
                }
            }
            if innings.isMultiple(of: 2) { script.reframe { $0.isDeclared = true } }
        }
        return script
    }

    private static func disturbed(_ delivery: Delivery, using generator: inout some RandomNumberGenerator) -> Delivery {
        var other = delivery
        other.runs.bat = Int.random(in: 0...6, using: &generator)
        other.order = OrderKey(delivery.order.number + Int64.random(in: -3...3, using: &generator))
        other.over = delivery.over + Int.random(in: 0...1, using: &generator)
        if Bool.random(using: &generator) { other.dismissals = [Dismissal(kind: .bowled, out: delivery.striker)] }
        if Int.random(in: 0..<4, using: &generator) == 0 { other.innings = Int.random(in: 1...4, using: &generator) }
        return other
    }

    @Test(arguments: [Format.t20, .hundred, .test], [UInt64(1), 2, 3, 4, 5, 6, 7, 8])
    func anyOrderOfChangesGivesTheSameState(format: Format, seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let script = Self.random(format, using: &generator)
        let whole = script.replica

        var byBall = MatchReplica()
        for change in script.changes { byBall.apply(change) }
        #expect(byBall.state == whole.state && byBall.record == whole.record, "seed \(seed)")

        var shuffled = MatchReplica()
        let balls = script.deliveries
        shuffled.apply(script.changes.filter { if case .inserted = $0 { false } else { true } })
        for ball in balls.shuffled(using: &generator) {
            if Bool.random(using: &generator) {
                shuffled.apply(.inserted(Self.disturbed(ball, using: &generator)))
                if Bool.random(using: &generator) { shuffled.apply(.withdrawn(ball.key)) }
                shuffled.apply(.amended(ball))
            } else {
                shuffled.apply([.inserted(ball), .amended(ball), .keepAlive])
            }
        }
        #expect(shuffled.state == whole.state, "seed \(seed)")
    }

    @Test(arguments: [Format.t20, .test], [UInt64(11), 12, 13, 14])
    func everyStepEqualsAFreshFold(format: Format, seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let script = Self.random(format, using: &generator)
        var replica = script.replica
        let balls = script.deliveries
        for _ in 0..<40 {
            guard let ball = balls.randomElement(using: &generator) else { return }
            switch Int.random(in: 0..<3, using: &generator) {
            case 0: replica.apply(.amended(Self.disturbed(ball, using: &generator)))
            case 1: replica.apply(.withdrawn(ball.key))
            default: replica.apply(.inserted(ball))
            }
            var fresh = MatchReplica()
            fresh.apply(replica.record.asChanges)
            #expect(fresh.state.innings == replica.state.innings, "seed \(seed)")
            #expect(fresh.state.moments == replica.state.moments, "seed \(seed)")
            #expect(fresh.state.result == replica.state.result, "seed \(seed)")
        }
    }

    @Test(arguments: [UInt64(21), 22, 23, 24])
    func sumsAgreeInEveryInnings(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        let state = Self.random(.test, using: &generator).state
        for card in state.innings {
            let outside = card.info.penaltyBefore + card.info.penaltyAfter
            #expect(card.batters.map(\.runs).reduce(0, +) + card.extras.total == card.runs)
            let charged = card.runs - card.extras.byes - card.extras.legByes - card.extras.penalty
            #expect(card.bowlers.map(\.runs).reduce(0, +) == charged)
            #expect(card.bowlers.map(\.balls).reduce(0, +) == card.legalBalls)
            #expect(card.partnerships.map(\.runs).reduce(0, +) == card.runs - outside)
            let faced = card.deliveries - card.balls.count { $0.kind == .wide }
            #expect(card.batters.map(\.balls).reduce(0, +) == faced)
            #expect(card.falls.map(\.runs) == card.falls.map(\.runs).sorted())
            #expect(Set(state.moments.map(\.key)).count == state.moments.count)
        }
    }

    @Test func anAmendmentAndItsReversalChangeNothing() {
        let script = ChaseExample.script
        let before = script.replica
        var replica = before
        var ball = script.deliveries[190]
        ball.runs.bat = 6
        replica.apply(.amended(ball))
        #expect(replica.state != before.state)
        replica.apply(.amended(script.deliveries[190]))
        #expect(replica.state == before.state)
    }

    @Test func withdrawingTheLastBallRestoresTheStateBefore() throws {
        let script = ChaseExample.script
        var replica = MatchReplica()
        replica.apply(script.changes.dropLast())
        let before = replica.state
        replica.apply(try #require(script.changes.last))
        #expect(replica.state != before)
        replica.apply(.withdrawn(try #require(script.deliveries.last).key))
        #expect(replica.state == before)
    }

    @Test func anInningsCanBeWithdrawnAndReturn() {
        let script = ChaseExample.script
        let before = script.state
        var replica = script.replica
        replica.apply(.inningsWithdrawn(ordinal: 1))
        #expect(replica.state.innings.count == 1 && replica.state.chase == nil)
        replica.apply(.innings(before.innings[0].info))
        #expect(replica.state == before)
    }
}

extension MatchRecord {
    /// The changes that build this record from an empty one.
    var asChanges: [Change] {
        (info.map { [.info($0)] } ?? []) + innings.map { .innings($0) } + deliveries.map { .inserted($0) }
            + [.status(status), .result(result)]
    }
}
