// The hourly budget of urgent updates runs out silently.

import ScoreClient
import ScoreTypes
import Testing

@testable import Simulators

@Suite struct UpdateBudgetTests {
    @Test func theBudgetCountsTheLastHour() {
        var budget = UpdateBudget()
        let spent = [0, 60, 120, 180, 300, 3_599, 3_600].map { budget.spend(4, at: .seconds($0)) }
        #expect(spent == [true, true, true, true, false, false, true])
        #expect(budget.nextFree(4) == .seconds(3_660))
        #expect(budget.nextFree(2) == .seconds(3_780))
        #expect(budget.nextFree(5) == nil)
    }

    /// Updates beyond the budget are delayed or dropped, those of priority 5 never.
    @Test(arguments: 1...10) func urgentUpdatesBeyondTheBudget(seed: Int) {
        let faults = PhoneFaultPlan(.exhaustedBudget, seed: UInt64(seed))
        var rig = ActivityUpdateTests.running(faults: faults, seed: UInt64(seed))
        rig.run { $0.allowFrequentPushes(false, at: $1) }
        rig.start()
        rig.advance(.seconds(10))
        let limit = faults.updatesPerHour
        print("seed \(seed): \(limit) urgent updates an hour")
        for revision in 2...11 {
            rig.update(rev: Int64(revision), priority: 10)
            rig.advance(.seconds(10))
        }
        #expect(rig.state.journal.drawings == limit)
        let delayed = rig.state.journal.entries.count {
            if case .delayed = $0.event { true } else { false }
        }
        let waiting = rig.state.activities[0].delayed == nil ? 0 : 1
        #expect(delayed + rig.drops[.overBudget, default: 0] == 10 - limit)
        #expect(rig.drops[.superseded, default: 0] == max(0, delayed - waiting))
        rig.update(rev: 20, priority: 5)
        #expect(rig.drawings == [20])
        // By then the delayed update is older than the drawing.
        rig.advance(.seconds(3_600))
        #expect(rig.drawings == [20] && rig.drops[.olderTimestamp, default: 0] == waiting)
        // The delayed update has spent a part of the next hour.
        rig.advance(.seconds(3_600))
        rig.update(rev: 21, priority: 10)
        #expect(rig.drawings == [21])
    }

    @Test func aDelayedUpdateIsDrawnWhenTheBudgetAllows() throws {
        var rig = ActivityUpdateTests.running(faults: PhoneFaultPlan(.exhaustedBudget, seed: 1))
        let limit = rig.state.model.faults.frequentUpdatesPerHour
        for revision in 1...limit {
            rig.update(rev: Int64(revision) + 1, priority: 10)
            rig.advance(.seconds(10))
        }
        var revision = Int64(limit) + 1
        while rig.state.activities[0].delayed == nil {
            revision += 1
            rig.update(rev: revision, priority: 10, alert: "Wicket!")
        }
        #expect(rig.drawings == [Int64(limit) + 1])
        #expect(rig.state.centre.total == 0)
        rig.advance(.seconds(3_600))
        #expect(rig.drawings == [revision])
        #expect(rig.state.centre.total == 1)
    }

    @Test func frequentPushesEnlargeTheBudget() {
        for (isFrequent, limit) in [(true, 50), (false, 15)] {
            var rig = PhoneStateRig()
            rig.run { $0.allowFrequentPushes(isFrequent, at: $1) }
            rig.openOnce()
            rig.start()
            rig.advance(.seconds(10))
            for revision in 2...61 { rig.update(rev: Int64(revision), priority: 10) }
            #expect(rig.state.journal.drawings == limit)
        }
    }

    @Test func anEndIsNotDelayed() {
        var rig = ActivityUpdateTests.running(faults: PhoneFaultPlan(.exhaustedBudget, seed: 3))
        for revision in 2...30 { rig.update(rev: Int64(revision), priority: 10) }
        rig.end(rev: 31)
        #expect(rig.phases == [.ended] && rig.drawings == [31])
    }
}
