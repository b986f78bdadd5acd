// Every status of every provider: the phase of the match, before the first ball and after it (C.17).

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct StatusMeaningTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let status: MatchStatus
        let before: MatchDisplayState
        let during: MatchDisplayState
        let short: String
        var testDescription: String { status.rawValue }

        init(_ status: MatchStatus, _ before: MatchDisplayState, _ during: MatchDisplayState, _ short: String) {
            (self.status, self.before, self.during, self.short) = (status, before, during, short)
        }
    }

    /// The status, its display before a ball and after some, and its short text.
    static let rows: [Row] = [
        Row(.scheduled, .scheduled, .live, "Upcoming"), Row(.lineups, .scheduled, .live, "Teams"),
        Row(.toss, .scheduled, .live, "Toss"), Row(.tossDelayed, .delayed, .delayed, "Delayed"),
        Row(.startDelayed, .delayed, .delayed, "Delayed"), Row(.live, .live, .live, "Live"),
        Row(.drinks, .break, .break, "Drinks"), Row(.inningsBreak, .break, .break, "Break"),
        Row(.lunch, .break, .break, "Lunch"), Row(.tea, .break, .break, "Tea"), Row(.dinner, .break, .break, "Dinner"),
        Row(.stumps, .stumps, .stumps, "Stumps"), Row(.restDay, .stumps, .stumps, "Rest day"),
        Row(.strategicTimeout, .break, .break, "Timeout"), Row(.review, .live, .live, "Review"),
        Row(.rain, .delayed, .delayed, "Rain"), Row(.badLight, .delayed, .delayed, "Bad light"),
        Row(.wetOutfield, .delayed, .delayed, "Wet"), Row(.floodlight, .delayed, .delayed, "Lights"),
        Row(.crowd, .delayed, .delayed, "Stopped"), Row(.pitch, .delayed, .delayed, "Stopped"),
        Row(.injury, .break, .break, "Injury"), Row(.ballChange, .break, .break, "Break"),
        Row(.suspended, .delayed, .delayed, "Stopped"), Row(.superOverBreak, .break, .break, "Super over"),
        Row(.superOver, .superOver, .superOver, "Super over"), Row(.resultPending, .break, .break, "Awaited"),
        Row(.result, .finished, .finished, "Result"), Row(.tied, .finished, .finished, "tied"),
        Row(.drawn, .finished, .finished, "drawn"), Row(.noResult, .abandoned, .abandoned, "no result"),
        Row(.abandoned, .abandoned, .abandoned, "abandoned"),
        Row(.abandonedNoBall, .abandoned, .abandoned, "abandoned"),
        Row(.postponed, .abandoned, .abandoned, "postponed"), Row(.cancelled, .abandoned, .abandoned, "cancelled"),
        Row(.awarded, .finished, .finished, "awarded"),
    ]

    @Test func everyStatusHasARow() { #expect(rowsByStatus.count == MatchStatus.allCases.count) }

    private var rowsByStatus: [MatchStatus: Row] { Dictionary(uniqueKeysWithValues: Self.rows.map { ($0.status, $0) }) }

    @Test(arguments: rows) func aStatusIsDisplayedBeforeTheFirstBall(row: Row) {
        var script = MatchScript.t20()
        script.status(row.status)
        #expect(script.state.displayState == row.before)
        script.drawn().expectWithinLimits()
    }

    @Test(arguments: rows) func aStatusIsDisplayedWithBallsBowled(row: Row) {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1 4 W")
        script.status(row.status)
        #expect(script.state.displayState == row.during)
        script.drawn().expectWithinLimits()
    }

    @Test(arguments: rows) func aStatusHasAShortText(row: Row) {
        #expect(StatusText(row.status).short == row.short)
        #expect(row.short.count <= 10 && !StatusText(row.status).head.isEmpty)
    }

    @Test func aStatusHasOneClass() {
        for status in MatchStatus.allCases {
            #expect(!(status.isFinal && status.isPause), "\(status)")
            #expect(!(status.isFinal && status.isBeforeStart), "\(status)")
            if status.isDelay { #expect(status.isPause, "\(status)") }
            if status.isWithoutResult { #expect(status.isFinal, "\(status)") }
        }
    }

    /// The uses of the class of a status in polling, moments and the display.
    @Test func theClassDecidesPollingAndMoments() {
        let words = Dictionary(grouping: MatchStatus.allCases, by: \.category)
        #expect(Set(words.keys) == Set(MatchStatus.Category.allCases))
        #expect(words[.shortBreak] == [.injury, .ballChange, .superOverBreak, .resultPending])
        #expect(words[.betweenDays] == [.stumps, .restDay])
        let moments = Dictionary(grouping: MatchStatus.allCases.filter { $0.momentKind != nil }) { $0.momentKind }
        #expect(
            moments[.interval] == [
                .drinks, .inningsBreak, .lunch, .tea, .dinner, .stumps, .restDay, .strategicTimeout,
            ]
        )
        #expect(
            moments[.delay] == [
                .tossDelayed, .startDelayed, .rain, .badLight, .wetOutfield, .floodlight, .crowd, .pitch, .injury,
                .ballChange, .suspended,
            ]
        )
        #expect(moments[.review] == [.review] && moments.count == 3)
    }

    @Test func feedsMayJumpBackFromAResult() {
        var script = MatchScript.t20(balls: 12)
        script.status(.live)
        script.begin(.first)
        script.bowl("6 6 . . . . . . . . . .")
        script.status(.result)
        #expect(script.state.phase == .over)
        script.status(.live)
        #expect(script.state.phase == .live && script.state.result == nil)
    }
}
