// An hourly plan serves the matches in play first, and all of them equally.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct HourPlanTests {
    /// Takes all available requests for a use.
    private func drain(_ budget: inout HourlyBudget, for use: RequestUse, at now: Duration) -> Int {
        var taken = 0
        while budget.take(for: use, now: now) == nil { taken += 1 }
        return taken
    }

    @Test func matchesInPlayUseThreeQuartersOfTheHour() {
        var budget = HourlyBudget(requests: 1_000, now: .zero)
        var (play, rest) = (0, 0)
        for second in 0..<3_600 {
            // The rest is first at each moment, and always takes all.
            rest += drain(&budget, for: .background, at: .seconds(second))
            play += drain(&budget, for: .play, at: .seconds(second))
        }
        #expect((620...650).contains(play), "three quarters of the hour, and half of the start: \(play)")
        #expect((220...245).contains(rest), "\(rest)")
        #expect(play + rest <= 880)
    }

    @Test(arguments: [10, 50, 100, 1_000, 20_000]) func noHourExceedsThePlan(requests: Int) {
        var budget = HourlyBudget(requests: requests, now: .zero)
        var spent = 0
        // The full allowance is available at the start of the hour.
        for second in 7_200..<10_800 {
            for use in [RequestUse.background, .play] { spent += drain(&budget, for: use, at: .seconds(second)) }
        }
        #expect(spent <= requests, "\(spent)")
        #expect(spent >= requests * 3 / 4, "\(spent)")
    }

    @Test(arguments: [RequestUse.play, .background])
    func aRequestIsAdmittedAfterItsAnnouncedWait(use: RequestUse) throws {
        var budget = HourlyBudget(requests: 1_000, now: .zero)
        _ = drain(&budget, for: .background, at: .zero)
        _ = drain(&budget, for: .play, at: .zero)
        var now = Duration.zero
        for _ in 0..<10 {
            let refusal = budget.take(for: use, now: now)
            let wait = try #require(refusal)
            #expect(wait <= .seconds(20), "\(wait)")
            now += wait + .milliseconds(1)
            let second = budget.take(for: use, now: now)
            #expect(second == nil)
        }
    }

    /// Three matches are polled each five seconds, more than the plan has: none is left out by chance or by its name.
    @Test func matchesShareAScarceBudgetInTurn() {
        var budget = HourlyBudget(requests: 1_000, now: .zero)
        _ = drain(&budget, for: .play, at: .zero)
        let matches = ["a", "b", "c"].map { MatchID(unchecked: $0) }
        var due = Dictionary(uniqueKeysWithValues: matches.map { ($0, Duration.zero) })
        var requested = Dictionary(uniqueKeysWithValues: matches.map { ($0, [Duration.zero]) })
        for tenth in 0..<36_000 {
            let now = Duration.milliseconds(tenth * 100)
            _ = drain(&budget, for: .background, at: now)
            for match in matches where due[match, default: .zero] <= now {
                let wait = budget.take(for: .play, by: match, now: now)
                if wait == nil { requested[match, default: []].append(now) }
                due[match] = now + (wait ?? .seconds(5))
            }
        }
        for (match, times) in requested {
            let longest = zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? .seconds(3_600)
            #expect(longest <= .seconds(20), "\(match): \(longest)")
            #expect(times.count >= 190, "\(match): \(times.count)")
        }
    }

    @Test func anEndedMatchDoesNotDelayOthers() {
        var budget = HourlyBudget(requests: 1_000, now: .zero)
        _ = drain(&budget, for: .play, at: .zero)
        let (ended, next) = (MatchID(unchecked: "ended"), MatchID(unchecked: "next"))
        #expect(budget.take(for: .play, by: ended, now: .zero) != nil)
        // One is available, but it is the other match's turn.
        #expect(budget.take(for: .play, by: next, now: .seconds(7)) != nil)
        #expect(budget.take(for: .play, by: next, now: .seconds(10)) == nil)
    }
}
