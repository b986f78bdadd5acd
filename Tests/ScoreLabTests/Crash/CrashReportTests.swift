// A crash test fails for each promise that is broken, and names it.

import ScoreTypes
import Testing

@testable import ScoreLab
@testable import Simulators

@Suite struct CrashReportTests {
    private static func report(
        _ manner: CrashOutcome.Manner = .killed,
        tokens: Int = 1,
        trapped: Int = 0,
        tooMany: Int = 0,
        _ change: (inout CrashOutcome) -> Void = { _ in }
    ) -> CrashReport {
        var outcome = CrashOutcome(seed: 1, manner: manner, victim: NodeID(unchecked: "node-a"), sentBefore: 10)
        outcome.isZombieRefused = true
        change(&outcome)
        return report(of: [outcome], tokens: tokens, trapped: trapped, tooMany: tooMany)
    }

    private static func report(
        of outcomes: [CrashOutcome],
        tokens: Int = 1,
        trapped: Int = 0,
        tooMany: Int = 0
    ) -> CrashReport {
        var report = CrashReport(activities: 100, clients: 0)
        // One test bed after another: the most counts, and what should not be is added up.
        for (streams, tokens, trapped, tooMany) in [(1_000, tokens, trapped, 0), (900, 1, 0, tooMany)] {
            var pushes = PushStatistics()
            pushes.streamsMost = streams
            pushes.providerTokensMost = ["KEY": tokens]
            pushes.traps = ["noMatch": trapped]
            pushes.refused = ["TooManyRequests": tooMany]
            report.add(pushes)
        }
        report.outcomes = outcomes
        return report
    }

    @Test(arguments: CrashOutcome.Manner.allCases)
    func nothingLostAndNothingTwiceIsRight(manner: CrashOutcome.Manner) {
        #expect(Self.report(manner, tokens: 2).faults.isEmpty)
    }

    @Test func anAlertMayBeRepeatedAfterACrashAlone() {
        for manner in [CrashOutcome.Manner.killed, .stopped] {
            #expect(Self.report(manner) { $0.alertsTwice = 3_000 }.isRight)
            #expect(!Self.report(manner) { $0.alertsTwice = 3_001 }.isRight)
            #expect(!Self.report(manner) { $0.soundedTwice = 3_001 }.isRight)
        }
        #expect(!Self.report(.ended) { $0.alertsTwice = 1 }.isRight)
        #expect(!Self.report(.ended) { $0.soundedTwice = 1 }.isRight)
    }

    @Test func eachFaultIsNamed() {
        #expect(Self.report { $0.withoutAlert = 2 }.faults == ["seed 1, node-a killed: 2 phones without its alert"])
        #expect(Self.report { $0.lost = 1 }.faults.count == 1)
        #expect(Self.report { $0.isZombieRefused = false }.faults.count == 1)
        #expect(Self.report { $0.takeover = LabLimits.takeover }.faults.count == 1)
        #expect(Self.report(.ended) { $0.takeover = LabLimits.takeover }.isRight)
        #expect(Self.report(tokens: 3).faults == ["3 provider tokens in use at one time"])
        #expect(Self.report(trapped: 1).faults.count == 1 && Self.report(tooMany: 1).faults.count == 1)
        #expect(Self.report(of: []).faults == ["no seed was run"])
    }
}
