// Balls without names of players, and players who return (cricket.md C.2, C.7, C.11).

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct UnknownPlayerTests {
    private static let nobody = Player(id: "", name: "")

    private func begun() -> MatchScript {
        var script = MatchScript.t20()
        script.begin(.first)
        return script
    }

    /// The side gets its runs; no player gets a row, and the partnership is that of the wicket all the same.
    @Test func aBallOfAnUnknownBatterCountsForTheSide() {
        var script = begun()
        script.add(runs: DeliveryRuns(bat: 4), striker: Self.nobody, nonStriker: Self.nobody)
        script.add(runs: DeliveryRuns(wides: 1), isLegal: false, striker: Self.nobody, nonStriker: Self.nobody)
        let card = script.state.innings[0]
        #expect(card.runs == 5 && card.legalBalls == 1 && card.batters.isEmpty && card.onStrike == nil)
        #expect(card.partnerships.map(\.runs) == [5] && card.partnerships.map(\.balls) == [1])
        #expect(script.drawn().expanded.batters.isEmpty)
    }

    @Test func aBowlerWithoutAnIdHasNoRow() {
        var script = begun()
        var replica = script.replica
        script.bowl("1 . 2", by: "One")
        for var ball in script.deliveries {
            if ball.key.text != "1.1" { ball.bowler = Self.nobody }
            replica.apply(.inserted(ball))
        }
        let card = replica.state.innings[0]
        #expect(card.runs == 3 && card.bowlers.map(\.player.name) == ["One"] && card.bowlers[0].balls == 1)
        #expect(card.bowler == nil, "the current bowler is not known")
    }

    /// A dismissed batter stays out, whatever a late ball contains; one who retired hurt bats on (cricket.md C.2).
    @Test(arguments: [
        (DismissalKind.bowled, BatterLine.Status.out, "b One"), (.runOut, .out, "run out"),
        (.retiredOut, .out, "retired out"), (.retiredHurt, .batting, "not out"), (.retiredNotOut, .batting, "not out"),
    ])
    func onlyARetiredBatterReturns(kind: DismissalKind, status: BatterLine.Status, words: String) {
        var script = begun()
        let (one, two, three) = (script.batter(1), script.batter(2), script.batter(3))
        script.bowler = "One"
        script.add(runs: DeliveryRuns(bat: 2), striker: one, nonStriker: two)
        script.add(dismissals: [Dismissal(kind: kind, out: one)], striker: one, nonStriker: two)
        script.add(striker: three, nonStriker: two)
        script.add(runs: DeliveryRuns(bat: 3), striker: one, nonStriker: two)
        let card = script.state.innings[0]
        #expect(card.batters.map(\.player) == [one, two, three], "no player has two rows")
        #expect(card.batters[0].status == status && card.batters[0].howOut == words)
        #expect(card.batters[0].runs == 5 && card.batters[0].balls == 3, "score and balls are kept")
        #expect((card.batters[0].dismissal == nil) == (status == .batting))
    }

    /// A batter who was never in may be out: timed out, or one of a mass retirement (cricket.md C.2).
    @Test func aBatterOutBeforeComingInHasARowAndAFall() {
        var script = begun()
        script.bowl("1")
        let late = Player.named("Late")
        script.add(dismissals: [Dismissal(kind: .bowled, out: script.batter(2)), Dismissal(kind: .timedOut, out: late)])
        let card = script.state.innings[0]
        #expect(card.wickets == 2 && card.falls.map(\.number) == [1, 2] && card.falls.map(\.batter) == [1, 2])
        #expect(card.batters.map(\.position) == [1, 2, 3])
        #expect(card.batters[2].player == late && card.batters[2].balls == 0 && card.batters[2].howOut == "timed out")
        #expect(card.bowlers[0].wickets == 1, "no bowler is credited")
        #expect(card.atCrease == [0])
    }

    /// A run out, or a ball with both, gives the bowler his own wickets and no haul twice.
    @Test func aHaulIsAnnouncedWithItsWicketOnly() {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("W W . W W . W", by: "One")
        func hauls() -> [String] { script.state.moments.filter { $0.kind == .fiveWickets }.map(\.key.text) }
        #expect(hauls() == ["5w:1:One"])
        script.add(dismissals: [Dismissal(kind: .runOut, out: .named("Runner"))], by: "One")
        #expect(hauls() == ["5w:1:One"] && script.state.innings[0].bowlers[0].wickets == 5)
        script.bowl("W", by: "One")
        #expect(hauls() == ["5w:1:One", "6w:1:One"])
    }
}
