// A day is shown when the feed has stated it, or when no night can have passed unseen (cricket.md C.13).

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct DayTests {
    private static let start: Int64 = 1_700_000_000
    private static let day: Int64 = 86_400

    /// A Test followed from its toss, or found after some balls; its balls may have times.
    private func match(
        _ format: Format = .test,
        isFollowedFromTheStart: Bool = true,
        ballTime: Int64? = nil
    ) -> MatchScript {
        var script = MatchScript(.make(format, first: "India", second: "Australia"))
        script.ballTime = ballTime
        if isFollowedFromTheStart {
            script.status(.toss)
            script.status(.live)
            script.begin(.first)
            script.bowl("1 .")
        } else {
            script.begin(.first)
            script.bowl("1 .")
            script.status(.live)
        }
        return script
    }

    /// The day after more reports.
    private func day(_ script: MatchScript, _ reports: StatusReport...) -> Int? {
        var replica = script.replica
        replica.apply(reports.map(Change.status))
        return replica.state.day
    }

    @Test(arguments: [(1, 1), (5, 5), (9, 9), (0, nil), (10, nil), (-3, nil)] as [(Int, Int?)])
    func aPlausibleDayOfTheFeedIsUsed(said: Int, day: Int?) {
        #expect(self.day(match(), StatusReport(status: .live, day: said)) == day)
    }

    @Test(
        arguments: [
            ("Stump Day 3", 3), ("Day 2, session 3", 2), ("Tea - DAY 4", 4), ("day 5: rain", 5),
            ("Day 2: Stumps - Day 2", 2), ("Day 0", nil), ("Day 12", nil), ("Day two", nil), ("Yesterday 3", nil),
            ("Birthday 4", nil), ("Day", nil), ("", nil), ("3 day match", nil),
            ("Play will resume on Day 3", nil), ("Day 1 washed out, day 2 at 10:00", nil), ("Reserve day 2", nil),
            ("Day 3 starts tomorrow", nil),
        ] as [(String, Int?)]
    )
    func aNoteOfTheDayStatesIt(note: String, day: Int?) {
        #expect(self.day(match(), StatusReport(status: .tea, note: note)) == day)
    }

    @Test func theDayOfTheFeedOverridesItsNote() {
        #expect(day(match(), StatusReport(status: .live, note: "Day 2", day: 4)) == 4)
        #expect(day(match(), StatusReport(status: .live, note: "Day 2", day: 44)) == 2)
    }

    /// A Test of a feed that reports neither days nor stumps nor times was "Day 1" to its end.
    @Test func aFeedWithoutDaysShowsNone() {
        var script = match()
        for word in [MatchStatus.lunch, .live, .tea, .live, .suspended, .live] {
            script.status(word)
            #expect(script.state.day == nil)
        }
        #expect(script.drawn().expanded.line == "IND 1/0 after 0.2 overs")
    }

    /// The first stumps prove that the feed reports them; with a record from the start they are counted.
    @Test(
        arguments: [
            ([], nil), ([.stumps], 1), ([.stumps, .live], 2), ([.stumps, .restDay], 1),
            ([.stumps, .restDay, .live], 2),
            ([.stumps, .live, .stumps, .live], 3), ([.stumps, .restDay, .stumps, .live], 2), ([.rain, .live], nil),
            ([.lunch, .live, .tea, .live, .stumps, .live], 2), ([.stumps, .live, .stumps, .live, .stumps], 3),
        ] as [([MatchStatus], Int?)]
    )
    func stumpsAreCounted(words: [MatchStatus], day: Int?) {
        var script = match()
        for word in words { script.status(word) }
        #expect(script.state.day == day)
    }

    /// Balls within half of a day are of the first day, whether or not the feed reports stumps.
    @Test func ballsOfAFewHoursAreOfTheFirstDay() {
        var script = match(ballTime: Self.start)
        #expect(script.state.day == 1)
        script.ballTime = Self.start + 8 * 3_600
        script.bowl("1")
        #expect(script.state.day == 1)
        script.ballTime = Self.start + Self.day
        script.bowl("1")
        #expect(script.state.day == nil, "a night passed, and the feed did not say so")
    }

    /// A first day that rain takes has no ball, and some feeds report no stumps for it.
    @Test func aFirstDayWithoutABallIsNotCountedAsTheNextOne() {
        for (delay, day) in [(0, 1), (6 * 3_600, 1), (Self.day, nil)] as [(Int64, Int?)] {
            let script = match(ballTime: Self.start + delay)
            var (info, replica) = (script.info, script.replica)
            info.startsAt = Self.start
            replica.apply([.info(info)])
            #expect(replica.state.day == day)
        }
    }

    /// Stumps that were missed, or reported twice on one day, do not agree with the times of the balls.
    @Test func theTimesOfBallsContradictWrongStumps() {
        var script = match(ballTime: Self.start)
        script.status(.stumps)
        #expect(script.state.day == 1)
        script.status(.live)
        #expect(script.state.day == nil, "no ball of the second day yet")
        script.ballTime = Self.start + Self.day - 1_800
        script.bowl("1")
        #expect(script.state.day == 2)
        var twice = script
        for word in [MatchStatus.stumps, .rain, .stumps] { twice.status(word) }
        #expect(twice.state.day == nil)
        script.ballTime = Self.start + 3 * Self.day
        script.bowl("1")
        #expect(script.state.day == nil, "stumps were missed for two days")
        script.ballTime = Int64.max - 100
        script.bowl("1")
        #expect(script.state.day == 2, "a time that no match has shows nothing, so that the stumps count")
    }

    /// A feed that states the day at stumps only is followed from there, also by a record that began later.
    @Test(arguments: [true, false]) func aStatedDayIsCountedOn(isFollowedFromTheStart: Bool) {
        var script = match(isFollowedFromTheStart: isFollowedFromTheStart)
        script.status(.stumps, note: "Stump Day 3")
        #expect(script.state.day == 3)
        script.status(.live, note: "Stump Day 3")
        #expect(script.state.day == 4, "the note is that of the evening before")
        script.status(.tea)
        #expect(script.state.day == 4)
        script.status(.stumps)
        script.status(.live)
        #expect(script.state.day == 5)
    }

    /// Stumps before the first reply cannot be counted, so no day is shown instead of a wrong one.
    @Test func aMatchFoundInTheMiddleHasNoDayUntilTheFeedStatesIt() {
        var script = match(isFollowedFromTheStart: false)
        #expect(script.state.day == nil)
        script.status(.stumps)
        script.status(.live)
        #expect(script.state.day == nil)
        #expect(day(script, StatusReport(status: .live, day: 3)) == 3)
    }

    @Test func aLimitedMatchHasNoDay() {
        #expect(day(match(.odi), StatusReport(status: .live, day: 2)) == nil)
        var script = MatchScript.test()
        script.status(.toss, day: 1)
        #expect(script.state.day == nil, "no ball was bowled")
    }

    /// A match that ends in play ends on that day; one that ends overnight, on the day before.
    @Test(
        arguments: [
            ([.lunch, .live, .drawn], nil), ([.stumps, .live, .drawn], 2), ([.stumps, .drawn], 1),
            ([.stumps, .live, .stumps, .live, .tea, .result], 3), ([.stumps, .restDay, .abandoned], 1),
            ([.stumps, .live, .rain, .drawn], 2), ([.stumps, .live, .drawn, .result], 2),
        ] as [([MatchStatus], Int?)]
    )
    func aFinishedMatchHasItsLastDay(words: [MatchStatus], day: Int?) {
        var script = match()
        for word in words { script.status(word) }
        #expect(script.state.phase == .over && script.state.day == day)
    }
}
