// The steps of a timeline: the statuses of a feed between the balls, and frames that have no end yet.

import Testing

@testable import MatchEngine

@Suite struct TimelineStepsTests {
    private func snapshot(toss: Toss? = nil, superOvers: Int = 0, isLastClosed: Bool = false) -> MatchSnapshot {
        var script = MatchScript.t20(balls: 6)
        script.info.toss = toss
        for side in [Side.first, .second] {
            script.begin(side)
            script.bowl("1 . 1")
        }
        for number in 0..<superOvers {
            script.begin(number.isMultiple(of: 2) ? .second : .first) { $0.superOver = number / 2 + 1 }
            script.bowl("4")
        }
        let record = script.replica.record
        var innings = record.innings
        for index in innings.indices.dropLast() { innings[index].isClosed = true }
        innings[innings.count - 1].isClosed = isLastClosed
        return MatchSnapshot(
            info: script.info,
            innings: innings,
            deliveries: record.deliveries,
            status: StatusReport(status: .tied),
            result: ProviderResult(kind: .tie)
        )
    }

    private func statuses(_ timeline: MatchTimeline) -> [MatchStatus] {
        timeline.steps.joined().compactMap { if case .status(let report) = $0 { report.status } else { nil } }
    }

    @Test(
        arguments: [
            (nil, 0, [.scheduled, .live, .inningsBreak, .live, .tied]),
            (Toss(winner: .first, decision: .bat), 0, [.scheduled, .toss, .live, .inningsBreak, .live, .tied]),
            (
                nil, 2,
                [
                    .scheduled, .live, .inningsBreak, .live, .superOverBreak, .superOver, .superOverBreak, .superOver,
                    .tied,
                ]
            ),
            (nil, 1, [.scheduled, .live, .inningsBreak, .live, .superOverBreak, .superOver, .tied]),
        ] as [(Toss?, Int, [MatchStatus])]
    )
    func theStatusesOfAMatchAreInOrder(toss: Toss?, superOvers: Int, statuses: [MatchStatus]) {
        let timeline = MatchTimeline(snapshot(toss: toss, superOvers: superOvers))
        #expect(self.statuses(timeline) == statuses)
        #expect(timeline.steps.allSatisfy { !$0.isEmpty })
    }

    /// One step for each ball, as a feed would show them that is polled often enough.
    @Test func everyBallIsOneStep() {
        let snapshot = snapshot(superOvers: 2)
        let balls = MatchTimeline(snapshot).steps.compactMap { step -> Delivery? in
            if step.count == 1, case .inserted(let ball) = step[0] { ball } else { nil }
        }
        #expect(balls == snapshot.deliveries)
    }

    /// An innings opens without its end and gets it after its last ball; the last one only if it has one.
    @Test(arguments: [false, true]) func aFrameIsOpenBeforeItsEnd(isLastClosed: Bool) {
        let timeline = MatchTimeline(snapshot(isLastClosed: isLastClosed))
        let frames = timeline.steps.enumerated().flatMap { index, step in
            step.compactMap { change -> (step: Int, frame: InningsInfo)? in
                if case .innings(let frame) = change { (index, frame) } else { nil }
            }
        }
        #expect(frames.map(\.frame.ordinal) == (isLastClosed ? [1, 1, 2, 2] : [1, 1, 2]))
        #expect(frames.map(\.frame.isClosed) == (isLastClosed ? [false, true, false, true] : [false, true, false]))
        // Frame, three balls, the end with its break; frame, three balls, the end where there is one, the result.
        #expect(frames.map(\.step) == (isLastClosed ? [1, 5, 6, 10] : [1, 5, 6]))
        #expect(timeline.steps.last?.last == .result(ProviderResult(kind: .tie)))
    }

    @Test func aMatchWithoutInningsHasItsFirstAndLastStatus() {
        let snapshot = MatchSnapshot(info: .make(.t20), status: StatusReport(status: .abandonedNoBall))
        let timeline = MatchTimeline(snapshot)
        #expect(statuses(timeline) == [.scheduled, .abandonedNoBall] && timeline.steps.count == 2)
        #expect(timeline.steps.joined().contains { if case .result = $0 { true } else { false } } == false)
    }
}
