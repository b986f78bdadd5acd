// Day and session (cricket.md C.13): by the feed's field, else by its note, else by the breaks seen.

import Testing

@testable import MatchEngine

@Suite struct DayAndSessionTests {
    /// A Test followed from its toss, or found after some balls.
    private func match(_ format: Format = .test, isFollowedFromTheStart: Bool = true) -> MatchScript {
        var script = MatchScript(.make(format, first: "India", second: "Australia"))
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

    /// The state after one more report.
    private func state(_ script: MatchScript, _ report: StatusReport) -> MatchState {
        var replica = script.replica
        replica.apply([.status(report)])
        return replica.state
    }

    @Test(arguments: [(1, 1), (5, 5), (9, 9), (0, 1), (10, 1), (-3, 1)])
    func aPlausibleDayOfTheFeedIsUsed(said: Int, day: Int) {
        #expect(state(match(), StatusReport(status: .live, day: said)).day == day)
    }

    @Test(arguments: [
        ("Stump Day 3", 3), ("Day 2, session 3", 2), ("Tea - DAY 4", 4), ("day 5: rain", 5), ("Day 0", 1),
        ("Day 12", 1),
        ("Day two", 1), ("Yesterday 3", 1), ("Birthday 4", 1), ("Day", 1), ("", 1), ("3 day match", 1),
    ])
    func theNoteContainsTheDay(note: String, day: Int) {
        #expect(state(match(), StatusReport(status: .live, note: note)).day == day)
    }

    @Test func theDayOfTheFeedOverridesItsNote() {
        #expect(state(match(), StatusReport(status: .live, note: "Day 2", day: 4)).day == 4)
        #expect(state(match(), StatusReport(status: .live, note: "Day 2", day: 44)).day == 2)
    }

    @Test(
        arguments: [
            ([], 1), ([.stumps], 1), ([.stumps, .live], 2), ([.stumps, .restDay], 1), ([.stumps, .restDay, .live], 2),
            ([.stumps, .live, .stumps, .live], 3), ([.stumps, .restDay, .stumps, .live], 2), ([.rain, .live], 1),
            ([.lunch, .live, .tea, .live, .stumps, .live], 2), ([.stumps, .live, .stumps, .live, .stumps], 3),
        ] as [([MatchStatus], Int)]
    )
    func stumpsAreCounted(words: [MatchStatus], day: Int) {
        var script = match()
        for word in words { script.status(word) }
        #expect(script.state.day == day)
    }

    /// Stumps before the first reply cannot be counted, so no day is shown instead of a wrong one.
    @Test func aMatchFoundInTheMiddleHasNoDayUntilTheFeedStatesIt() {
        var script = match(isFollowedFromTheStart: false)
        #expect(script.state.day == nil && script.state.session == nil)
        script.status(.stumps)
        script.status(.live)
        #expect(script.state.day == nil)
        #expect(state(script, StatusReport(status: .live, day: 3)).day == 3)
        // Its sessions can be counted from the first stumps that were seen.
        #expect(state(script, StatusReport(status: .live, day: 3)).session == 1)
    }

    @Test func aLimitedMatchHasNoDay() {
        #expect(state(match(.odi), StatusReport(status: .live, day: 2)).day == nil)
        var script = MatchScript.test()
        script.status(.toss)
        #expect(script.state.day == nil, "no ball was bowled")
    }

    @Test(arguments: [(1, 1), (3, 3), (4, 4), (0, 1), (5, 1), (-1, 1)])
    func aPlausibleSessionOfTheFeedIsUsed(said: Int, session: Int) {
        #expect(state(match(), StatusReport(status: .live, session: said)).session == session)
    }

    /// During play the session is the one after the breaks that were seen; in a break it is the one that ended.
    @Test(
        arguments: [
            ([], 1), ([.drinks], nil), ([.drinks, .live], 1), ([.lunch], 1), ([.lunch, .live], 2),
            ([.lunch, .live, .tea], 2),
            ([.lunch, .live, .tea, .live], 3), ([.dinner], 1), ([.dinner, .live], 2), ([.rain], nil),
            ([.rain, .live], 1),
            ([.lunch, .rain, .live], 2), ([.lunch, .lunch, .live], 2), ([.stumps], nil),
            ([.lunch, .live, .stumps, .live], 1),
            ([.inningsBreak, .live], 1),
        ] as [([MatchStatus], Int?)]
    )
    func breaksAreCounted(words: [MatchStatus], session: Int?) {
        var script = match()
        for word in words { script.status(word) }
        #expect(script.state.session == session)
    }

    /// A match that ends in play ends on that day; one that ends overnight, on the day before.
    @Test(
        arguments: [
            ([.lunch, .live, .drawn], 1), ([.stumps, .live, .drawn], 2), ([.stumps, .drawn], 1),
            ([.stumps, .live, .stumps, .live, .tea, .result], 3), ([.stumps, .restDay, .abandoned], 1),
            ([.stumps, .live, .rain, .drawn], 2), ([.stumps, .live, .drawn, .result], 2),
        ] as [([MatchStatus], Int)]
    )
    func aFinishedMatchHasItsLastDayAndNoSession(words: [MatchStatus], day: Int) {
        var script = match()
        for word in words { script.status(word) }
        #expect(script.state.phase == .over && script.state.day == day && script.state.session == nil)
    }
}
