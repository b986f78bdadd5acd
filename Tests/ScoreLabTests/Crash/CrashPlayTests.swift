// Each seed of a crash test has one wicket with an alert of its own, and the match is open until the last one.

import MatchEngine
import Testing

@testable import ScoreLab

@Suite struct CrashPlayTests {
    @Test func eachSeedHasAnAlertThatNoOtherOneHas() {
        var play = CrashPlay()
        _ = play.begin()
        var texts: Set<String> = []
        for seed in 1...LabLimits.crashSeedsPerMatch {
            var alerts = play.replica.state.moments.filter(\.isAlert).count
            _ = play.ball()
            #expect(play.replica.state.moments.filter(\.isAlert).count == alerts, "seed \(seed): a ball is silent")
            let (changes, moments) = play.wicket()
            alerts += moments.count
            #expect(changes.count <= 2)
            #expect(moments.contains { $0.kind == .wicket && $0.priority == .ten })
            #expect(moments.count == (seed.isMultiple(of: 10) ? 2 : 1), "the end of an innings is a moment, too")
            for moment in moments { #expect(texts.insert("\(moment.title): \(moment.body)").inserted) }
            _ = play.ball()
            #expect(play.replica.state.moments.filter(\.isAlert).count == alerts, "seed \(seed): silent")
            #expect(play.replica.state.phase == .live && play.replica.state.result == nil)
        }
    }
}
