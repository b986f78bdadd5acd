// The timeline of a finished match ends where the match ended.

import Testing

@testable import MatchEngine

@Suite struct TimelineTests {
    private var snapshot: MatchSnapshot {
        var script = MatchScript.t20(balls: 12)
        script.begin(.first)
        script.bowl("6 W 1 wd . 4 2 W . 1 1 1")
        script.begin(.second) {
            $0.absent = [.named("Nobody")]
            $0.penaltyAfter = 5
        }
        script.bowl("6 W 1 4 4 4")
        let record = script.replica.record
        var innings = record.innings
        innings[0].isClosed = true
        return MatchSnapshot(
            info: script.info,
            innings: innings,
            deliveries: record.deliveries,
            status: StatusReport(status: .result),
            result: ProviderResult(kind: .wickets(9), winner: .second)
        )
    }

    @Test func allStepsGiveTheMatch() {
        var whole = MatchReplica()
        whole.apply([.info(snapshot.info)] + snapshot.innings.map { .innings($0) })
        whole.apply(snapshot.deliveries.map { .inserted($0) })
        whole.apply([.status(snapshot.status), .result(snapshot.result)])
        var followed = MatchReplica()
        for step in MatchTimeline(snapshot).steps { followed.apply(step) }
        var state = followed.state
        // The whole was never in a break; a follower has seen one.
        state.matchMoments.removeAll { $0.kind == .interval }
        #expect(state == whole.state)
    }

    @Test func noStepContainsLaterEvents() throws {
        var replica = MatchReplica()
        for step in MatchTimeline(snapshot).steps.dropLast() {
            replica.apply(step)
            #expect(replica.state.result?.isOfficial != true)
            let isChasing = replica.state.current == 1 && replica.record.deliveries.count < snapshot.deliveries.count
            if isChasing { #expect(replica.state.innings[1].info.penaltyAfter == 0) }
        }
        #expect(replica.state.innings[1].info.penaltyAfter == 5)
    }
}
