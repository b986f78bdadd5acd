// A daily plan has to last to its end, and its reserve has to stay.

import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct DayPlanTests {
    private static let midnight = Instant(milliseconds: 20_000 * 86_400_000)
    private static let day: Duration = .seconds(86_400)

    /// A provider with a counter, and the requests of a greedy feed in some hours from an hour of the day.
    private struct Plan {
        let limit: Int
        var used: Int
        /// The end of the provider's own day, counted from midnight UTC.
        var resetsAt: Duration = .zero
        var budget: HourlyBudget
        var sent: [Duration] = []

        mutating func send(from start: Duration, hours: Int) {
            for minute in 0..<hours * 60 {
                let now = start + .seconds(minute * 60)
                if minute > 0, (now - resetsAt).components.seconds % 86_400 == 0 { used = 0 }
                while budget.take(now: now) == nil {
                    sent.append(now)
                    used += 1
                    let allowance = RequestAllowance(limit: limit, used: used)
                    budget.adopt(allowance, now: now, wall: DayPlanTests.midnight + now)
                }
            }
        }
    }

    private func plan(_ limit: Int, used: Int = 0, resetsAt: Duration = .zero) -> Plan {
        Plan(limit: limit, used: used, resetsAt: resetsAt, budget: HourlyBudget(requests: limit, now: .zero))
    }

    @Test(arguments: [100, 2_000]) func theRestOfThePlanLastsToTheEndOfTheDay(limit: Int) {
        var plan = plan(limit, used: limit / 5)
        plan.send(from: .seconds(12 * 3_600), hours: 12)
        #expect((limit * 7 / 10...limit * 8 / 10).contains(plan.used), "\(plan.used)")
        let evening = plan.sent.count { $0 >= .seconds(18 * 3_600) }
        #expect((plan.sent.count * 4 / 10...plan.sent.count * 6 / 10).contains(evening), "\(evening)")
    }

    @Test func repliesWithoutACounterSpendNoMoreThanTheRest() {
        var budget = HourlyBudget(requests: 1_000, now: .zero)
        // 420 are left, 400 of them in reserve: 20 in the twelve hours to come.
        let noon = Self.midnight + .seconds(12 * 3_600)
        budget.adopt(RequestAllowance(limit: 2_000, used: 1_580), now: .zero, wall: noon)
        var spent = 0
        for second in 0..<12 * 3_600 { while budget.take(now: .seconds(second)) == nil { spent += 1 } }
        #expect((19...21).contains(spent), "\(spent)")
    }

    @Test func theReserveIsNotSpent() {
        var plan = plan(100, used: 79)
        plan.send(from: .seconds(3_600), hours: 22)
        // One request to read the count, none after it.
        #expect(plan.sent.count == 1)
        #expect(plan.budget.take(now: .seconds(23 * 3_600)) == .seconds(3_600))
        plan.used = 0
        #expect(plan.budget.take(now: Self.day) == nil)
    }

    @Test func theEndOfTheProvidersDayIsDetected() {
        var plan = plan(100, used: 90, resetsAt: .seconds(5 * 3_600))
        plan.send(from: .seconds(6 * 3_600), hours: 24)
        let early = plan.sent.filter { $0 > .seconds(6 * 3_600) && $0 < Self.day + .seconds(5 * 3_600) }
        #expect(early == (0..<5).map { Self.day + .seconds($0 * 3_600) })
        #expect(plan.sent.contains { $0 >= Self.day + .seconds(5 * 3_600) })
    }

    /// The lists and one match on the smallest plan of CricketData, polled as a poller does, second by second.
    private struct SmallestDay {
        static let limit = 100
        let cadence = Cadence(of: .cricketData)
        let pages: Int
        /// Hours of the day, UTC.
        let play: Range<Int>
        var used = 0
        var requested: [Int] = []
        var listsRead: [Int] = []
        private var budget: HourlyBudget?
        private var page = 0

        init(pages: Int, play: Range<Int>) { (self.pages, self.play) = (pages, play) }

        mutating func pass() {
            var (listDue, matchDue) = (Duration.zero, Duration.zero)
            let fixture = Fixture(
                id: ProviderMatchID(unchecked: "m"),
                startsAt: DayPlanTests.midnight.seconds + Int64(play.lowerBound * 3_600)
            )
            func poll(_ fixture: Fixture) -> MatchPoll {
                MatchPoll(fixture, of: PolledFeed.configuration, isListed: true, ManualClock().context())
            }
            let (before, over) = (poll(fixture), poll(fixture.being(.result)))
            for second in 0..<86_400 {
                let now = Duration.seconds(second)
                while listDue <= now {
                    guard let wait = request(for: .background, at: now) else {
                        page = (page + 1) % pages
                        if page == 0 { listsRead.append(second) }
                        listDue = now + (page == 0 ? cadence.fixtures : .zero)
                        continue
                    }
                    listDue = now + wait
                }
                guard matchDue <= now else { continue }
                let poll = second < play.upperBound * 3_600 ? before : over
                if let wait = request(for: poll.use(at: DayPlanTests.midnight + now), at: now) {
                    let start = poll.untilStart(at: DayPlanTests.midnight + now)
                    matchDue = now + min(wait, start ?? wait)
                } else {
                    requested.append(second)
                    matchDue = now + cadence.live
                }
            }
        }

        /// Sends a request, or returns the time of the next one.
        private mutating func request(for use: RequestUse, at now: Duration) -> Duration? {
            if let wait = budget?.take(for: use, now: now) { return wait }
            used += 1
            if budget == nil { budget = HourlyBudget(requests: Self.limit, now: now) }
            let allowance = RequestAllowance(limit: Self.limit, used: used)
            budget?.adopt(allowance, now: now, wall: DayPlanTests.midnight + now)
            return nil
        }

        /// Longest time in play without a request, in seconds.
        var longestGap: Int {
            let (start, end) = (play.lowerBound * 3_600, play.upperBound * 3_600)
            let times = [start] + requested.filter { (start..<end).contains($0) } + [end]
            return zip(times, times.dropFirst()).map { $1 - $0 }.max() ?? 0
        }
    }

    /// 80 of the 100 are spent, a quarter of them at most on lists and matches out of play: 60 are left for a match
    /// that is in play all day, one each 24 minutes and, since some are saved up, a little less at its end; a match of
    /// four hours has what the hours before it left.
    @Test(arguments: [2, 6], [(0..<24, 28), (10..<18, 18), (14..<18, 15), (19..<23, 10)])
    func theSmallestPlanServesTwoListsAndAMatch(pages: Int, day: (play: Range<Int>, minutes: Int)) {
        var smallest = SmallestDay(pages: pages, play: day.play)
        smallest.pass()
        #expect(smallest.used <= 80, "\(smallest.used): the fifth stays in reserve")
        #expect(smallest.longestGap <= day.minutes * 60, "\(smallest.longestGap)")
        let waits = zip(smallest.listsRead, smallest.listsRead.dropFirst()).map { $1 - $0 }
        #expect(waits.max() ?? .max <= pages * 4 * 3_600 / 2 + 3_600, "lists are still read: \(waits)")
    }

    @Test func sportmonksHasADefaultPlan() {
        #expect(Provider.sportmonks.hourlyRequests == 2_000)
        #expect(Provider.allCases.compactMap(\.hourlyRequests).count == 1)
    }
}

extension Fixture {
    fileprivate func being(_ status: MatchStatus) -> Fixture { Fixture(id: id, startsAt: startsAt, status: status) }
}
