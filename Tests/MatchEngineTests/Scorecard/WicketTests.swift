// Dismissals: the batter, the text and the credit (cricket.md C.2, C.11).

import Testing

@testable import MatchEngine

@Suite struct WicketTests {
    private static let bumrah = Player.named("Jasprit Bumrah")

    private func howOut(_ kind: DismissalKind, _ fielders: [Fielder] = []) -> String {
        HowOut.text(
            Dismissal(kind: kind, out: .named("Rohit Sharma"), fielders: fielders),
            bowler: kind.isCreditedToBowler ? Self.bumrah : nil,
            fielding: .first,
            names: PlayerNames(.make(.t20))
        )
    }

    @Test func everyDismissalHasItsText() {
        let kohli = Fielder(name: "Virat Kohli")
        let pant = Fielder(name: "R Pant")
        let jadeja = Fielder(name: "RA Jadeja", isSubstitute: true)
        #expect(howOut(.caught, [kohli]) == "c Kohli b Bumrah")
        #expect(howOut(.caught, [Fielder(name: "Jasprit Bumrah")]) == "c & b Bumrah")
        #expect(howOut(.caughtAndBowled) == "c & b Bumrah")
        #expect(howOut(.caught, [jadeja]) == "c sub (Jadeja) b Bumrah")
        #expect(howOut(.caught, [Fielder(name: nil, isSubstitute: true)]) == "c sub b Bumrah")
        #expect(howOut(.caught) == "caught b Bumrah")
        #expect(howOut(.bowled) == "b Bumrah")
        #expect(howOut(.lbw) == "lbw b Bumrah")
        #expect(howOut(.stumped, [pant]) == "st †Pant b Bumrah")
        #expect(howOut(.hitWicket) == "hit wicket b Bumrah")
        #expect(howOut(.runOut, [kohli, pant]) == "run out (Kohli/Pant)")
        #expect(howOut(.runOut) == "run out")
        #expect(howOut(.retiredHurt) == "retired hurt")
        #expect(howOut(.timedOut) == "timed out")
        for kind in DismissalKind.allCases { #expect(!howOut(kind).isEmpty) }
    }

    @Test func namesakesOfASideAreDistinguished() {
        var info = MatchInfo.make(.odi)
        let marsh = [Player.named("SE Marsh"), Player.named("MR Marsh"), Player.named("P Cummins")]
        info.teams = [TeamInfo(id: "1", name: "Australia", players: marsh), info.teams[1]]
        let names = PlayerNames(info)
        #expect(names.short("MR Marsh", of: .first) == "MR Marsh")
        #expect(names.short("P Cummins", of: .first) == "Cummins")
        #expect(names.short("MR Marsh", of: .second) == "Marsh")
    }

    @Test func namesAreShortenedInAllForms() {
        let surnames = [
            "AB de Villiers": "de Villiers", "PVD Chameera": "Chameera", "Rohit Sharma": "Sharma",
            "Mahmudullah": "Mahmudullah",
            "Mohammad Nawaz (3)": "Nawaz", "Nazmul Hossain Shanto": "Shanto", "Rassie van der Dussen": "van der Dussen",
            "Shakib Al Hasan": "Al Hasan", "M.S. Dhoni": "Dhoni", "": "", " ": "",
        ]
        for (name, surname) in surnames { #expect(PersonName(name).surname == surname, "\(name)") }
        #expect(PersonName("Rohit Sharma").initialed == "R Sharma")
        #expect(PersonName("Rassie van der Dussen").initialed == "R van der Dussen")
        #expect(PersonName("Kasun Rajitha Madushanka Pathirana").fitting(24) == "K R M Pathirana")
        #expect(PersonName("Abcdefghijklmnopqrstuvwxyzabcdefgh").fitting(24).count == 24)
    }

    @Test func onlySomeDismissalsAreTheBowlers() {
        let credited = DismissalKind.allCases.filter(\.isCreditedToBowler)
        #expect(Set(credited) == [.bowled, .lbw, .caught, .caughtAndBowled, .stumped, .hitWicket])
        let uncounted = DismissalKind.allCases.filter { !$0.countsAsWicket }
        #expect(Set(uncounted) == [.retiredHurt, .retiredNotOut])
    }

    @Test func twoWicketsMayFallOnOneBall() {
        var script = MatchScript.t20()
        script.begin(.first)
        let late = Player.named("AD Mathews")
        script.add(dismissals: [
            Dismissal(kind: .caught, out: script.batter(1), fielders: [Fielder(name: "X")]),
            Dismissal(kind: .timedOut, out: late),
        ])
        let card = script.state.innings[0]
        #expect(card.wickets == 2)
        #expect(card.bowlers[0].wickets == 1)
        #expect(card.falls.map(\.number) == [1, 2])
        #expect(card.batters.last?.player == late)
        #expect(card.batters.last?.runs == 0 && card.batters.last?.balls == 0)
        #expect(script.state.moments.filter { $0.kind == .wicket }.map(\.key.text) == ["w:1:1", "w:1:2"])
        #expect(card.atCrease.count == 1)
    }

    @Test func aRetiredHurtBatterMayReturn() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("2 2")
        script.add(dismissals: [Dismissal(kind: .retiredHurt, out: script.batter(1))])
        let gone = script.state.innings[0]
        #expect(gone.wickets == 0 && gone.batters[0].status == .retired && gone.partnership == nil)
        #expect(gone.batters[0].howOut == "retired hurt")
        script.add(striker: script.batter(3), nonStriker: script.batter(2))
        script.add(dismissals: [Dismissal(kind: .bowled, out: script.batter(3))], striker: script.batter(3))
        script.add(runs: DeliveryRuns(bat: 3), striker: script.batter(1), nonStriker: script.batter(2))
        let back = script.state.innings[0]
        #expect(back.batters[0].status == .batting && back.batters[0].howOut == "not out")
        #expect(back.batters[0].runs == 7 && back.batters[0].balls == 4)
        #expect(back.wickets == 1)
        #expect(back.partnerships.map(\.wicket) == [1, 1, 2])
    }

    @Test func aRunOutLeavesTheStrikeUnknown() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.add(runs: DeliveryRuns(bat: 1), dismissals: [Dismissal(kind: .runOut, out: script.batter(2))])
        let card = script.state.innings[0]
        #expect(card.onStrike == nil && card.atCrease.count == 1)
        #expect(card.falls[0].runs == 1 && card.falls[0].label == BallLabel(over: 0, ball: 1))
        #expect(card.bowlers[0].wickets == 0)
    }

    @Test func afterACatchAtTheEndOfAnOverTheSurvivorFaces() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl(". . . . . W")
        let card = script.state.innings[0]
        #expect(card.onStrike == 1)
        script.bowl("W")
        #expect(script.state.innings[0].wickets == 2)
    }

    @Test func absentBattersUseUpWickets() {
        var script = MatchScript.t20()
        script.begin(.first) { $0.absent = [.named("Hurt One"), .named("Hurt Two")] }
        script.bowl("W W W W W W W 1")
        #expect(script.state.innings[0].end == nil)
        script.bowl("W")
        let card = script.state.innings[0]
        #expect(card.wickets == 8 && card.end == .allOut && card.score == "1")
        #expect(card.batters.suffix(2).map(\.howOut) == ["absent hurt", "absent hurt"])
        #expect(card.batters.suffix(2).map(\.status) == [.absent, .absent])
    }

    @Test func aSideWithoutBattersIsAllOutAtTheEndOfTheInnings() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("W W W W W W W W W")
        script.add(dismissals: [Dismissal(kind: .retiredHurt, out: script.batter(script.striker))])
        #expect(script.state.innings[0].end == nil)
        script.reframe { $0.isClosed = true }
        #expect(script.state.innings[0].end == .allOut)
    }
}
