// An over is cut from the record with the numbers and marks of a scorer.

import MatchEngine
import MatchSamples
import Testing

@Suite struct OverCardTests {
    /// Balls of one innings: a wide after the second ball, a wicket on the last ball of the first over.
    private static func replica(isClosed: Bool = false) -> MatchReplica {
        var balls = Samples.deliveries(8)
        let wide = Delivery(
            key: DeliveryKey("wide"),
            order: OrderKey(1),
            innings: 1,
            over: 0,
            striker: balls[1].striker,
            nonStriker: balls[1].nonStriker,
            bowler: balls[1].bowler,
            runs: DeliveryRuns(wides: 1),
            isLegal: false
        )
        balls[5].runs = DeliveryRuns()
        balls[5].dismissals = [Dismissal(kind: .bowled, out: balls[5].striker)]
        balls.insert(wide, at: 2)
        let changes: [Change] = [
            .info(Samples.info()), .status(StatusReport(status: .live)),
            .innings(InningsInfo(ordinal: 1, batting: .first, isClosed: isClosed)),
        ]
        var replica = MatchReplica()
        replica.apply(changes + balls.map { .inserted($0) })
        return replica
    }

    @Test func aWideHasTheNumberOfTheBallThatReplacesIt() throws {
        let over = try #require(Self.replica().over(0, ofInnings: 1))
        #expect(over.balls.map(\.label.description) == ["0.1", "0.2", "0.3", "0.3", "0.4", "0.5", "0.6"])
        #expect(over.balls.map(\.mark.text) == ["1", "1", "wd", "1", "1", "1", "W"])
        #expect(over.balls[2].delivery.key == DeliveryKey("wide"))
        #expect(over.runs == 6 && over.wickets == 1 && over.isComplete)
    }

    @Test func theCurrentOverIsCompleteWithItsInnings() throws {
        let open = try #require(Self.replica().over(1, ofInnings: 1))
        #expect(open.balls.count == 2 && !open.isComplete)
        let closed = try #require(Self.replica(isClosed: true).over(1, ofInnings: 1))
        #expect(closed.isComplete)
    }

    @Test func anOverWithoutABallIsUnknown() {
        #expect(Self.replica().over(2, ofInnings: 1) == nil)
        #expect(Self.replica().over(0, ofInnings: 2) == nil)
        #expect(Self.replica().over(.max, ofInnings: .max) == nil)
    }
}
