// The decisions of polling, without a clock that runs.

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
        cadence.wait(
            in: phase,
            endedFor: ended,
            wasOverAtFirst: late,
            clock: ManualClock().clock(speed: speed),
            jitter: jitter
        )
    }

    @Test func intervalsFollowTheMatch() {
        #expect(wait(.live) == .seconds(5))
        #expect(wait(.pause) == .seconds(20))
        #expect(wait(.before) == .seconds(60))
        #expect(cadence.marqueeLive == .milliseconds(2_500))
    }

    /// B.1: the day's plan is for scores, and twice a minute is often enough for totals.
    @Test func aPlanByTheDayIsNotSpentOnLists() {
        let cadence = Cadence(of: .cricketData)
        #expect(cadence.live == .seconds(25) && cadence.marqueeLive == .seconds(15))
        #expect(cadence.live * 1.1 < SourceElection.silence)
        #expect(cadence.waitForFixtures(clock: ManualClock().clock(), jitter: 0.5) == .seconds(1_800))
        for provider in Provider.allCases where provider != .cricketData {
            #expect(Cadence(of: provider) == Cadence())
        }
    }

    @Test func jitterIsATenthEachWay() {
        #expect(wait(.live, jitter: 0) == .milliseconds(4_500))
        #expect(wait(.live, jitter: 1) == .milliseconds(5_500))
        #expect(wait(.live, jitter: 99) == .milliseconds(5_500))
    }

    @Test func aScaledClockStopsAtTheFloor() {
        #expect(wait(.live, speed: 100) == .milliseconds(50))
        #expect(wait(.live, speed: 100_000) == Cadence.liveFloor)
        #expect(wait(.before, speed: 100_000) == Cadence.slowFloor)
    }

    @Test func theTailEnds() {
        #expect(wait(.over, ended: .seconds(599)) == .seconds(30))
        #expect(wait(.over, ended: .seconds(600)) == nil)
        #expect(wait(.over, ended: .seconds(59), late: true) == .seconds(30))
        #expect(wait(.over, ended: .seconds(60), late: true) == nil)
    }
}

@Suite struct BackoffTests {
    @Test func waitsDoubleToACap() {
        var backoff = Backoff()
        let clock = ManualClock().clock()
        let waits = (0..<8).map { _ in backoff.failed(retryAfter: nil, clock: clock, jitter: 0.5) }
        #expect(waits == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
        backoff.succeeded()
        #expect(backoff.failed(retryAfter: nil, clock: clock, jitter: 0.5) == .seconds(1))
        for _ in 0..<10_000 { _ = backoff.failed(retryAfter: nil, clock: clock, jitter: 0.5) }
    }

    @Test("F2: Retry-After is obeyed, spread and bounded")
    func theProviderIsObeyedInRealTime() {
        var backoff = Backoff()
        let clock = ManualClock().clock(speed: 1_000)
        #expect(backoff.failed(retryAfter: .seconds(30), clock: clock, jitter: 0) == .seconds(30))
        let late = backoff.failed(retryAfter: .seconds(30), clock: clock, jitter: 1)
        #expect(late > .seconds(32.9) && late < .seconds(33.1))
        #expect(backoff.failed(retryAfter: .seconds(86_400), clock: clock, jitter: 0) == .seconds(3_600))
        #expect(backoff.failed(retryAfter: nil, clock: clock, jitter: 0.5) == Backoff.floor)
    }
}

@Suite struct HourlyBudgetTests {
    @Test func anHourSpendsFourFifthsOfThePlan() {
        var budget = HourlyBudget(requests: 1_000, now: .zero)
        var spent = 0
        for second in 0..<3_600 {
            while budget.take(now: .seconds(second)) == nil { spent += 1 }
        }
        // A tenth is there at the start.
        #expect((800...880).contains(spent))
        #expect(budget.take(now: .seconds(3_599)).map { $0 > .zero && $0 <= .seconds(4.5) } == true)
    }
}

@Suite struct PollScheduleTests {
    private let hand = ManualClock()
    private let now = ManualClock.wallAtZero.seconds

    private func fixture(_ id: String, _ status: MatchStatus?, _ offset: Int64? = nil) -> Fixture {
        Fixture(id: ProviderMatchID(unchecked: id), startsAt: offset.map { now + $0 }, status: status)
    }

    private func followed(_ fixtures: some Sequence<Fixture>, isStill: Bool = false) -> [MatchID: FollowedMatch] {
        Dictionary(
            uniqueKeysWithValues: fixtures.map { fixture in
                var found = FollowedMatch(fixture, at: hand.clock().wall)
                found.isStill = isStill
                return (fixture.match, found)
            }
        )
    }

    private func due(_ schedule: inout PollSchedule, _ fixtures: [Fixture], polled: [Fixture] = []) -> [String] {
        schedule.turn(fixtures, followed: followed(polled), clock: hand.clock()).begins.map(\.match.text)
    }

    @Test func playComesFirstAndFarMatchesWait() {
        var schedule = PollSchedule()
        let fixtures = [
            fixture("over", .result, -40_000), fixture("soon", .scheduled, 3_000), fixture("far", .scheduled, 9_000),
            fixture("live", .live), fixture("rain", .rain), fixture("old", .result, -8 * 86_400),
            fixture("unknown", nil, 60), fixture("live", .live), fixture("odd", .scheduled, .max / 2 - now),
        ]
        // A start outside the calendar is as good as none.
        #expect(due(&schedule, fixtures) == ["live", "rain", "odd", "soon", "unknown", "over"])
        #expect(due(&schedule, fixtures, polled: [fixture("live", .live)]).first == "rain")
    }

    @Test func whatIsFinishedStaysSoUntilItGoesOn() {
        var schedule = PollSchedule()
        schedule.finish(fixture("m", .result))
        #expect(due(&schedule, [fixture("m", .result)]).isEmpty)
        #expect(due(&schedule, [fixture("m", .live)]) == ["m"])
        #expect(due(&schedule, [fixture("m", .result)]) == ["m"])
    }

    @Test func aPostponedMatchIsPolledBeforeItsNewStart() {
        var schedule = PollSchedule()
        schedule.finish(fixture("m", .scheduled, -600))
        #expect(due(&schedule, [fixture("m", .postponed, -600)]).isEmpty)
        #expect(due(&schedule, [fixture("m", .scheduled, -600)]).isEmpty)
        // Its new start is weeks away at first.
        #expect(due(&schedule, [fixture("m", .scheduled, 20 * 86_400)]).isEmpty)
        #expect(due(&schedule, [fixture("m", .scheduled, 1_800)]) == ["m"])
        #expect(due(&schedule, [fixture("m", .postponed, 1_800)]) == ["m"])
    }

    @Test func aMatchThatWasOverAheadOfItsStartIsPolledWhenItIsOnAgain() {
        var schedule = PollSchedule()
        schedule.finish(fixture("m", .cancelled, 1_800))
        #expect(due(&schedule, [fixture("m", .cancelled, 1_800)]).isEmpty)
        #expect(due(&schedule, [fixture("m", .scheduled, 1_800)]) == ["m"])
    }

    @Test(arguments: [MatchStatus.scheduled, .live, .result]) func theListDecidesAboutAMatchThatIsGone(
        status: MatchStatus
    ) {
        var schedule = PollSchedule()
        let match = fixture("m", status, 1_800)
        schedule.finish(match, isGone: true)
        // As long as the list is the one from before, it says nothing.
        #expect(due(&schedule, [match]).isEmpty)
        #expect(schedule.listed([match]).isEmpty)
        #expect(due(&schedule, [match]) == ["m"])
        schedule.finish(match, isGone: true)
        #expect(schedule.listed([fixture("n", .live)]) == [MatchID(unchecked: "m")])
        #expect(schedule.listed([]).isEmpty)
        #expect(due(&schedule, [match]) == ["m"])
    }

    @Test func onlySoManyAreTaken() {
        var schedule = PollSchedule()
        let fixtures = (0..<PollSchedule.matchesMax + 9).map { fixture("m\($0)", .live) }
        #expect(due(&schedule, fixtures).count == PollSchedule.matchesMax)
        #expect(due(&schedule, fixtures, polled: Array(fixtures.prefix(PollSchedule.matchesMax))).isEmpty)
    }

    @Test func whatIsInPlayOrDueTakesThePlaceOfWhatHasTime() {
        var schedule = PollSchedule()
        let ended = fixture("x", .result, -40_000)
        let held = (1..<PollSchedule.matchesMax).map { fixture("m\($0)", .live) } + [ended]
        let waiting = [fixture("soon", .scheduled, 60), fixture("due", .scheduled, -60), fixture("rain", .rain)]
        let turn = schedule.turn(held + waiting, followed: followed(held), clock: hand.clock())
        #expect(turn.begins.map(\.match.text) == ["rain"] && turn.ends == [ended.match])
        // Whose end has been said has made place already.
        var leaving = followed(held)
        leaving[ended.match]?.end = .displaced
        let next = schedule.turn(held + waiting.dropLast(), followed: leaving, clock: hand.clock())
        #expect(next.begins.map(\.match.text) == ["due"] && next.ends.isEmpty)
    }

    @Test func whatStoodStillTakesNoPlaceBackBeforeTheListSaysMore() {
        var schedule = PollSchedule()
        let held = (0..<PollSchedule.matchesMax).map { fixture("m\($0)", .live) }
        let turn = schedule.turn(
            held + [fixture("play", .live)],
            followed: followed(held, isStill: true),
            clock: hand.clock()
        )
        #expect(turn.begins.map(\.match.text) == ["play"] && turn.ends.count == 1)
        let gone = fixture(turn.ends[0].text, .live)
        schedule.displaced(gone, isStill: true)
        let others = held.filter { $0.match != gone.match } + [fixture("play", .live)]
        let full = followed(others, isStill: true)
        #expect(schedule.turn(others + [gone], followed: full, clock: hand.clock()).begins.isEmpty)
        #expect(due(&schedule, [gone, fixture("over", .result, -60)]) == ["over", gone.match.text], "there is room")
        let other = fixture(gone.match.text, .drinks)
        #expect(schedule.turn(others + [other], followed: full, clock: hand.clock()).begins == [other])
    }
}
