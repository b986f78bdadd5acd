// The decisions of polling, as values with given times.

import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct CadenceTests {
    private let cadence = Cadence()

    private func wait(
        _ phase: PlayPhase,
        ended: Duration? = nil,
        late: Bool = false,
        speed: Int = 1,
        jitter: Double = 0.5
    ) -> Duration? {
        let context = ManualClock().context(jitter: jitter, speed: speed)
        return cadence.wait(in: phase, endedFor: ended, wasOverAtFirst: late, context)
    }

    @Test func intervalsFollowTheMatch() {
        #expect(wait(.live) == .seconds(5))
        #expect(wait(.pause) == .seconds(20))
        #expect(wait(.before) == .seconds(60))
        #expect(cadence.marqueeLive == .milliseconds(2_500))
    }

    /// B.1: the daily plan is for scores, and twice a minute is often enough for totals.
    @Test func aDailyPlanIsNotSpentOnLists() {
        let cadence = Cadence(of: .cricketData)
        #expect(cadence.live == .seconds(25) && cadence.marqueeLive == .seconds(15))
        #expect(cadence.live * 1.1 < IngestLimits.leaderSilence)
        #expect(cadence.fixtures == .seconds(1_800))
        for provider in Provider.allCases where provider != .cricketData {
            #expect(Cadence(of: provider) == Cadence())
        }
    }

    @Test func jitterIsATenthEachWay() {
        #expect(wait(.live, jitter: 0) == .milliseconds(4_500))
        #expect(wait(.live, jitter: 1) == .milliseconds(5_500))
        #expect(wait(.live, jitter: 99) == .milliseconds(5_500))
    }

    @Test func aScaledClockHasAMinimumInterval() {
        #expect(wait(.live, speed: 100) == .milliseconds(50))
        #expect(wait(.live, speed: 100_000) == WaitKind.play.floor)
        #expect(wait(.before, speed: 100_000) == WaitKind.rest.floor)
    }

    @Test func theTailOfAMatchEnds() {
        #expect(wait(.over, ended: .seconds(599)) == .seconds(30))
        #expect(wait(.over, ended: .seconds(600)) == nil)
        #expect(wait(.over, ended: .seconds(59), late: true) == .seconds(30))
        #expect(wait(.over, ended: .seconds(60), late: true) == nil)
    }
}

@Suite struct BackoffTests {
    private func fail(
        _ backoff: inout Backoff,
        retryAfter: Duration? = nil,
        jitter: Double = 0.5,
        speed: Int = 1
    ) -> Duration {
        backoff.failed(retryAfter: retryAfter, ManualClock().context(jitter: jitter, speed: speed))
    }

    @Test func waitsDoubleUpToALimit() {
        var backoff = Backoff()
        let waits = (0..<8).map { _ in fail(&backoff) }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        backoff.succeeded()
        #expect(fail(&backoff) == .seconds(1))
        for _ in 0..<10_000 { _ = fail(&backoff) }
    }

    @Test("F2: Retry-After is obeyed in real time, extended and bounded")
    func retryAfterIsObeyedInRealTime() {
        var backoff = Backoff()
        #expect(fail(&backoff, retryAfter: .seconds(30), jitter: 0, speed: 1_000) == .seconds(30))
        let late = fail(&backoff, retryAfter: .seconds(30), jitter: 1, speed: 1_000)
        #expect(late > .seconds(32.9) && late < .seconds(33.1))
        #expect(fail(&backoff, retryAfter: .seconds(86_400), jitter: 0, speed: 1_000) == .seconds(3_600))
        #expect(fail(&backoff, speed: 1_000) == WaitKind.retry.floor)
    }
}

@Suite struct HourlyBudgetTests {
    @Test func anHourSpendsFourFifthsOfThePlan() {
        var budget = HourlyBudget(requests: 1_000, now: .zero)
        var spent = 0
        for second in 0..<3_600 {
            while budget.take(now: .seconds(second)) == nil { spent += 1 }
        }
        // A tenth is available at the start.
        #expect((800...880).contains(spent))
        #expect(budget.take(now: .seconds(3_599)).map { $0 > .zero && $0 <= .seconds(4.5) } == true)
    }
}
