// Targets, lengths and rates that no feed has stated and nothing proves are not shown (docs/feeds.md).

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct UnstatedTests {
    /// A first innings of 40 balls of 120 with wickets in hand, closed by rain, and the chase after it.
    private func rainedOff(_ target: Target? = nil) -> MatchScript {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        script.fill(runs: 60, wickets: 2, balls: 40)
        script.status(.rain)
        script.reframe { $0.isClosed = true }
        script.begin(.second) { $0.target = target }
        script.status(.live)
        script.bowl("1 4")
        return script
    }

    /// A first innings was cut short, and no feed has stated the target yet: it is not one run more.
    @Test func aShortenedInningsGivesNoTarget() {
        let script = rainedOff()
        #expect(script.state.chase == nil && script.state.innings[1].target == nil)
        let content = script.drawn()
        #expect(content.expanded.line == "CSK 5/0 after 0.2 overs")
        #expect(content.compactTrailing.text == "0.2 ov" && content.small.line == "RR 15.00 (0.2 ov)")
        let stated = rainedOff(Target(runs: 70, balls: 48, method: "DLS"))
        #expect(stated.drawn().expanded.line == "CSK need 65 from 46 balls")
    }

    @Test func theBreakAfterAShortenedInningsGivesNoTarget() {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        script.fill(runs: 60, wickets: 2, balls: 40)
        script.reframe { $0.isClosed = true }
        script.status(.inningsBreak)
        #expect(script.state.chase == nil)
        #expect(script.drawn().expanded.line == "Innings break: MI 60/2 after 6.4 overs")
    }

    /// A revised target whose length the feed omits: the overs of the format may not be those of the chase.
    @Test func aTargetWithoutItsOversHasNoBallsLeft() throws {
        var script = rainedOff(Target(runs: 70, method: "DLS"))
        let content = script.drawn()
        #expect(content.expanded.line == "CSK need 65 to win" && content.compactTrailing.text == "need 65")
        let revised = try #require(script.state.moments.first { $0.kind == .targetRevised })
        #expect(revised.body == "CSK need 70 to win (DLS)")
        script.fill(runs: 66, wickets: 1, balls: 30)
        script.result(ProviderResult(kind: .wickets(9), winner: .second, method: "DLS"))
        #expect(script.state.result?.text { $0 == .first ? "MI" : "CSK" } == "CSK won by 9 wickets (DLS method)")
    }

    /// Without a method, too, a target other than one run more was revised.
    @Test(arguments: [(61, 118), (70, nil)] as [(Int, Int?)])
    func aPlainTargetHasTheLengthOfTheFormat(runs: Int, left: Int?) {
        #expect(rainedOff(Target(runs: runs)).state.innings[1].ballsLeft == left)
    }

    // MARK: Totals alone

    /// A T20 with totals only: the first innings, then the chase.
    private func totals(_ first: ReportedTotal, stop: MatchStatus? = nil) -> LiveActivityAttributes.ContentState {
        let info = MatchInfo.make(.t20, ballLimit: 120)
        var replica = MatchReplica()
        replica.apply([.info(info), .status(StatusReport(status: .live))])
        replica.apply(.innings(InningsInfo(ordinal: 1, batting: .first, isClosed: true, reported: first)))
        if let stop { replica.apply([.status(StatusReport(status: stop)), .status(StatusReport(status: .live))]) }
        let chase = ReportedTotal(runs: 20, wickets: 0, balls: 12)
        replica.apply(.innings(InningsInfo(ordinal: 2, batting: .second, reported: chase)))
        return ContentStateRenderer.render(replica.state, info: info, revision: 1)
    }

    /// A feed of totals states neither a length nor a revised target.
    @Test(
        arguments: [
            // Twenty overs were played: the match was not shortened before.
            (ReportedTotal(runs: 150, wickets: 8, balls: 120), nil, "CSK need 131 from 108 balls"),
            // All out sooner: the match may have fewer overs.
            (ReportedTotal(runs: 90, wickets: 10, balls: 70), nil, "CSK need 71 to win"),
            // A stoppage since: the officials may have revised the target.
            (ReportedTotal(runs: 150, wickets: 8, balls: 120), .rain, "CSK 20/0 after 2 overs"),
            (ReportedTotal(runs: 90, wickets: 10, balls: 70), .suspended, "CSK 20/0 after 2 overs"),
        ] as [(ReportedTotal, MatchStatus?, String)]
    )
    func totalsProveOnlyTheLengthThatWasPlayed(first: ReportedTotal, stop: MatchStatus?, line: String) {
        #expect(totals(first, stop: stop).expanded.line == line)
    }

    // MARK: Rates

    /// A wide before the first legal ball: no over was bowled, so no rate of runs an over exists.
    @Test func noBallHasNoRate() {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        script.bowl("wd5")
        let content = script.drawn()
        #expect(content.compactTrailing == .init(overs: "0", text: "0 ov") && content.small.line == "MI 5/0")
    }

    // MARK: Ends

    /// A match that is over, whose winner no feed has named: it may have been tied.
    @Test func anEndWithoutAWinnerIsNotWon() {
        var script = rainedOff()
        script.status(.result)
        #expect(script.state.result == nil)
        #expect(script.drawn().compactTrailing.text == "Result")
    }
}
