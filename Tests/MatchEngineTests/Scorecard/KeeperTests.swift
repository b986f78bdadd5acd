// The mark of the keeper in a dismissal, when a feed names the keeper (cricket.md C.11).

import Testing

@testable import MatchEngine

@Suite struct KeeperTests {
    private func howOut(_ kind: DismissalKind, _ fielders: [String], isSubstitute: Bool = false) -> String {
        var info = MatchInfo.make(.odi)
        let players = ["Jasprit Bumrah", "Rishabh Pant", "Ravindra Jadeja"].map { Player.named($0) }
        info.teams[1] = TeamInfo(id: "2", name: "India", players: players, keeper: "Rishabh Pant")
        return HowOut.text(
            Dismissal(
                kind: kind,
                out: .named("X"),
                fielders: fielders.map { Fielder(name: $0, isSubstitute: isSubstitute) }
            ),
            bowler: .named("Jasprit Bumrah"),
            fielding: .second,
            names: PlayerNames(info)
        )
    }

    @Test func aCatchByTheKeeperIsMarked() { #expect(howOut(.caught, ["Rishabh Pant"]) == "c †Pant b Bumrah") }
    @Test func aCatchByAnotherIsNotMarked() { #expect(howOut(.caught, ["Ravindra Jadeja"]) == "c Jadeja b Bumrah") }
    @Test func aStumpingIsMarked() { #expect(howOut(.stumped, ["Rishabh Pant"]) == "st †Pant b Bumrah") }
    @Test func aStumpingMarksAnUnknownKeeper() {
        #expect(howOut(.stumped, ["Ravindra Jadeja"]) == "st †Jadeja b Bumrah")
    }
    @Test func aRunOutByTwoMarksTheKeeper() {
        #expect(howOut(.runOut, ["Ravindra Jadeja", "Rishabh Pant"]) == "run out (Jadeja/†Pant)")
    }
    @Test func aSubstituteIsNoKeeper() {
        #expect(howOut(.caught, ["Rishabh Pant"], isSubstitute: true) == "c sub (Pant) b Bumrah")
    }
}
