// A text such as `c X b Y` contains the dismissal; the row of the card repeats it by a word and ids.

import MatchEngine
import ScoreTypes
import Testing

@testable import Providers

private typealias Sample = EntitySportSample

@Suite struct EntitySportDismissalTests {
    /// The dismissal of batter 11, whose row of the card has another text unless one is given.
    private static func dismissal(_ text: String, row: String = "") throws -> Dismissal? {
        let ball = #"""
            {"event":"wicket","batsman_id":11,"bowler_id":21,"over":0,"ball":1,"score":"w","wicket_batsman_id":"11",
            "how_out":"\#(text)"}
            """#
        let card = Sample.innings("0/1 (0.1 ov)", row.isEmpty ? [] : [row])
        let people =
            #","players":[{"pid":31,"title":"Alan Catcher","short_name":"A Catcher"},{"pid":"32","title":"Zoe Arm"}]"#
        return try Sample.snapshot(card: card, balls: [ball], more: people).deliveries.first?.dismissals.first
    }

    @Test(
        "the beginning of the text gives the kind",
        arguments: [
            ("b Ex", DismissalKind.bowled), ("c A Catcher b Ex", .caught), ("c & b Ex", .caughtAndBowled),
            ("c and b Ex", .caughtAndBowled), ("caught and bowled", .caughtAndBowled), ("lbw b Ex", .lbw),
            ("st A Catcher b Ex", .stumped), ("hit wicket b Ex", .hitWicket), ("run out (A Catcher)", .runOut),
            ("obstructing the field", .obstructingTheField), ("Cought", .caught),
        ]
    )
    func kinds(text: String, kind: DismissalKind) throws {
        let found = try #require(try Self.dismissal(text))
        #expect(found.kind == kind && found.out.id == "11")
    }

    @Test(
        "the text names the fielders, and the list of players their full names",
        arguments: [
            ("c A Catcher b Ex", [Fielder(name: "Alan Catcher")]), ("c Stranger b Ex", [Fielder(name: "Stranger")]),
            ("c sub b Ex", [Fielder(name: nil, isSubstitute: true)]),
            ("c sub (A Catcher) b Ex", [Fielder(name: "Alan Catcher", isSubstitute: true)]),
            ("run out (A Catcher/Bea Thrower)", [Fielder(name: "Alan Catcher"), Fielder(name: "Bea Thrower")]),
            ("run out", []), ("b Ex", []), ("c Subba Row b Ex", [Fielder(name: "Subba Row")]),
        ]
    )
    func fielders(text: String, fielders: [Fielder]) throws {
        #expect(try Self.dismissal(text)?.fielders == fielders)
    }

    @Test("ids in the row of the card name fielders better than the text does")
    func idsOfTheRow() throws {
        let row = #"{"batsman_id":11,"how_out":"c Arm b Ex","dismissal":"caught","first_fielder_id":"32"}"#
        #expect(try Self.dismissal("c Arm b Ex", row: row)?.fielders == [Fielder(name: "Zoe Arm")])
        // The row is of another dismissal of the same batter.
        #expect(try Self.dismissal("c Arm b Wye", row: row)?.fielders == [Fielder(name: "Arm")])
    }

    @Test("without a text the status of the card is used")
    func statusOfTheRow() throws {
        let row = #"{"batsman_id":"11","how_out":"","dismissal":"runout"}"#
        #expect(try Self.dismissal("", row: row)?.kind == .runOut)
    }

    @Test("an unknown text is an error that names its event")
    func unknownText() {
        #expect(throws: AdapterError.unknownWord(path: "balls.1:commentaries[0].how_out", word: "bees")) {
            try Self.dismissal("bees")
        }
    }

    @Test("a retirement is no ball: it joins the ball before, or the first ball")
    func retirements() throws {
        func leaves(_ label: Int) -> String {
            #"""
            {"event":"wicket","batsman_id":11,"bowler_id":21,"over":0,"ball":\#(label),"score":0,
            "how_out":"retired hurt"}
            """#
        }
        let first = try Sample.snapshot(balls: [leaves(1), Sample.ball(1, batter: 12)])
        #expect(first.deliveries.map(\.dismissals.count) == [1])
        let later = try Sample.snapshot(balls: [Sample.ball(1, batter: 11), leaves(1), Sample.ball(2, batter: 12)])
        #expect(later.deliveries.map(\.dismissals.count) == [1, 0])
        #expect(later.deliveries[0].dismissals[0].kind == .retiredHurt)
    }
}
