// A feed with totals and without balls: its totals are shown, and no moment is invented.

import Foundation
import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct ReportedTotalTests {
    /// A T20 with totals only.
    private struct Totals {
        var replica = MatchReplica()
        let info: MatchInfo

        init(_ format: Format = .t20) {
            info = .make(format, ballLimit: format.isLimitedOvers ? 120 : nil)
            replica.apply([.info(info), .status(StatusReport(status: .live))])
        }

        mutating func report(
            _ ordinal: Int,
            _ side: Side,
            _ runs: Int,
            _ wickets: Int,
            balls: Int,
            closed: Bool = false
        ) {
            let total = ReportedTotal(runs: runs, wickets: wickets, balls: balls)
            replica.apply(
                .innings(InningsInfo(ordinal: ordinal, batting: side, isClosed: closed, reported: total))
            )
        }

        var state: MatchState { replica.state }
        var content: LiveActivityAttributes.ContentState {
            ContentStateRenderer.render(state, info: info, revision: 1)
        }
        func moments(_ kind: Moment.Kind) -> [Moment] { state.moments.filter { $0.kind == kind } }
    }

    @Test func scoreOversAndRateAreShown() {
        var match = Totals()
        match.report(1, .first, 87, 6, balls: 75)
        #expect(match.state.currentInnings?.score == "87/6")
        #expect(match.state.currentInnings?.overs.text == "12.3")
        #expect(match.state.displayState == .live)
        let content = match.content
        #expect(content.compactLeading.score == "87/6")
        #expect(content.compactTrailing.overs == "12.3")
        #expect(content.compactTrailing.runRate == "6.96")
        #expect(content.expanded.line == "\(match.state.abbreviations.first) 87/6 after 12.3 overs")
        #expect(content.expanded.batters.isEmpty && content.expanded.recent.isEmpty && content.expanded.bowler == nil)
        #expect(match.state.moments.isEmpty)
    }

    @Test func aListedInningsHasNotBegun() {
        var match = Totals()
        match.report(1, .first, 0, 0, balls: 0)
        #expect(match.state.current == nil)
    }

    @Test func theChaseIsCounted() throws {
        var match = Totals()
        match.report(1, .first, 169, 9, balls: 120, closed: true)
        #expect(match.moments(.inningsEnd).map(\.key.text) == ["inn:1"])
        match.report(2, .second, 87, 6, balls: 75)
        let chase = try #require(match.state.chase)
        #expect(chase.needed == 83 && chase.ballsLeft == 45 && chase.hasBegun && chase.wicketsLeft == 4)
        #expect(match.content.expanded.line == "\(match.state.abbreviations.second) need 83 from 45 balls")
        #expect(match.content.compactTrailing.text == "83 off 45")
    }

    @Test func totalsAnnounceNoWickets() {
        var match = Totals()
        match.report(1, .first, 20, 1, balls: 18)
        match.report(1, .first, 24, 4, balls: 24)
        #expect(match.moments(.wicket).isEmpty)
        #expect(match.state.moments.isEmpty)
    }

    @Test func totalsProveTheResult() {
        var match = Totals()
        match.report(1, .first, 169, 9, balls: 120, closed: true)
        match.report(2, .second, 170, 4, balls: 110)
        #expect(match.state.result?.kind == .wickets(6))
        #expect(match.state.result?.winner == .second)
        #expect(match.moments(.result).count == 1)
        match.report(2, .second, 150, 10, balls: 110)
        #expect(match.state.result?.kind == .runs(19))
        #expect(match.state.innings[1].end == .allOut)
    }

    @Test func totalsProveNothingWithoutAStatedTarget() {
        var match = Totals()
        // Six overs and one ball before the rain: the chasing side needs more than one run more.
        match.report(1, .first, 63, 3, balls: 37, closed: true)
        match.report(2, .second, 64, 1, balls: 31)
        #expect(match.state.result == nil && match.state.chase == nil)
        #expect(match.moments(.result).isEmpty && match.moments(.inningsEnd).map(\.innings) == [1])
        match.report(2, .second, 75, 4, balls: 36, closed: true)
        match.replica.apply([
            .status(StatusReport(status: .result)), .result(ProviderResult(kind: .tie, method: "D/L")),
        ])
        #expect(match.state.result?.kind == .tie)
    }

    @Test func totalsGiveTheLeadOfATest() {
        var match = Totals(.test)
        match.report(1, .first, 294, 10, balls: 600, closed: true)
        match.report(2, .second, 245, 10, balls: 500, closed: true)
        match.report(3, .first, 87, 6, balls: 188)
        #expect(match.state.lead?.runs == 136)
        #expect(match.content.compactLeading.score == "294 & 87/6")
        #expect(match.content.compactTrailing.text == "+136")
    }

    @Test(arguments: [
        (ReportedTotal(runs: 5, wickets: 1, balls: 3), "5/1", "0.3"),
        (ReportedTotal(runs: 200, wickets: 9, balls: 2), "5/1", "0.3"),
        (ReportedTotal(runs: 4, wickets: 2, balls: 3), "5/1", "0.3"),
        (ReportedTotal(runs: 6, wickets: 1, balls: 3), "6/1", "0.3"),
        (ReportedTotal(runs: 200, wickets: 9, balls: 100), "200/9", "16.4"),
    ])
    func ballsOverrideATotalThatIsNotAhead(total: ReportedTotal, score: String, overs: String) throws {
        var script = MatchScript.t20()
        script.begin(.first) { $0.reported = total }
        script.bowl("4 1 W")
        let card = try #require(script.state.currentInnings)
        #expect(card.score == score && card.overs.text == overs)
        // Batters are known from balls only, and only from the newest.
        #expect(card.isReported == (score != "5/1"))
        #expect(card.recent.isEmpty == card.isReported && (card.bowler == nil) == card.isReported)
    }

    @Test func aTotalOfAnySizeIsHarmless() {
        for number in [Int.max, Int.min, -1] {
            var match = Totals()
            match.report(1, .first, number, number, balls: number)
            match.report(2, .second, 5, 0, balls: number)
            #expect(!match.content.compactLeading.teamAbbr.isEmpty)
        }
    }

    @Test func oldJournalsAreReadWithoutTotals() throws {
        let facts = InningsInfo(ordinal: 1, batting: .first)
        let text = String(decoding: try JSONEncoder().encode(facts), as: UTF8.self)
        #expect(!text.contains("reported"))
        let reported = InningsInfo(ordinal: 1, batting: .first, reported: ReportedTotal(runs: 1, wickets: 2, balls: 3))
        #expect(try JSONDecoder().decode(InningsInfo.self, from: try JSONEncoder().encode(reported)) == reported)
    }
}
