// The two content states printed in the contract, byte for byte, from balls.

import LiveSurface
import Testing

@testable import MatchEngine

@Suite struct ExamplesTests {
    @Test func aWicketInAChase() throws {
        let script = ChaseExample.script
        let replica = script.replica
        let wicket = try #require(replica.state.moments.last { $0.kind == .wicket })
        let content = ContentStateRenderer.render(
            replica.state,
            info: script.info,
            revision: 412,
            event: wicket
        )
        #expect(String(decoding: ContentStateRenderer.bytes(of: content), as: UTF8.self) == ChaseExample.json)
        #expect(wicket.key == MomentKey("w:2:6"))
        #expect(wicket.title == "Wicket!")
        #expect(wicket.subject == "Rohit Sharma")
    }

    @Test func aTestAtTea() {
        let script = TestExample.script
        let content = ContentStateRenderer.render(script.state, info: script.info, revision: 3120)
        #expect(String(decoding: ContentStateRenderer.bytes(of: content), as: UTF8.self) == TestExample.json)
    }
}

/// MI chase 169/9; Rohit Sharma has just gone and Hardik Pandya, who had retired hurt, is back.
enum ChaseExample {
    static let json =
        #"{"v":1,"rev":412,"matchDisplayState":"live","compactLeading":{"teamAbbr":"MI","score":"87/6"},"#
        + #""compactTrailing":{"overs":"12.3","runRate":"6.96","text":"83 off 45"},"#
        + #""minimal":{"text":"87/6","flash":"W"},"#
        + #""expanded":{"teams":[{"abbr":"MI","score":"87/6","overs":"12.3","batting":true},"#
        + #"{"abbr":"CSK","score":"169/9","overs":"20","batting":false}],"#
        + #""batters":[{"name":"Hardik Pandya","runs":12,"balls":9,"onStrike":true},"#
        + #"{"name":"Krunal Pandya","runs":3,"balls":4,"onStrike":false}],"#
        + #""bowler":{"name":"Jasprit Bumrah","figures":"3/17","overs":"2.3"},"#
        + #""recent":["1","W","4",".","wd","2"],"line":"MI need 83 from 45 balls","#
        + #""event":{"kind":"wicket","text":"Rohit Sharma c Kohli b Bumrah 45(32)"}},"#
        + #""lockScreen":{"line":"MI need 83 from 45 balls","sub":"Last wicket: Rohit Sharma 45(32)"},"#
        + #""small":{"top":"MI 87/6","bottom":"CSK 169/9","line":"need 83 (45)"}}"#

    private static let names: [Character: String] = [
        "R": "Rohit Sharma", "I": "Ishan Kishan", "S": "Suryakumar Yadav", "T": "Tilak Varma", "D": "Tim David",
        "G": "Cameron Green", "H": "Hardik Pandya", "K": "Krunal Pandya",
    ]

    /// The bowler, the pair in turn, and the striker of each ball.
    private static let overs: [(bowler: String, marks: String)] = [
        ("Deepak Chahar", "R4 R. R1 I. I1 R1"),
        ("Ravindra Jadeja", "R. R1 I4 I2 I. IW"),
        ("Deepak Chahar", "R1 S. S1 R2 R. R1"),
        ("Ravindra Jadeja", "R4 R1 S4 S. S1 R."),
        ("Deepak Chahar", "S. SW T. T1 R1 R."),
        ("Ravindra Jadeja", "R1 T4 T. T1 R1 T."),
        ("Deepak Chahar", "TW H. H1 R4 R1 H2"),
        ("Ravindra Jadeja", "H. H2 H1h D. D1 R1"),
        ("Deepak Chahar", "R4 R1 D4 D. D. D1"),
        ("Jasprit Bumrah", "DW G. G1 R. R. GW"),
        ("Ravindra Jadeja", "R4 R4 R. R. K1 R."),
        ("Jasprit Bumrah", "R4 R3 K1 K. K1 RW"),
        ("Jasprit Bumrah", "H4 H. Hwd H2"),
    ]

    static var script: MatchScript {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.second)
        script.fill(runs: 169, wickets: 9, balls: 120)
        script.begin(.first)
        for (number, over) in overs.enumerated() {
            for mark in over.marks.split(separator: " ") {
                bowl(mark, in: number, by: over.bowler, partner: number < 12 ? "R" : "K", to: &script)
            }
        }
        return script
    }

    private static func bowl(
        _ mark: Substring,
        in over: Int,
        by bowler: String,
        partner: Character,
        to script: inout MatchScript
    ) {
        let striker = mark.first ?? "R"
        let what = mark.dropFirst()
        let player = Player.named(names[striker] ?? "")
        // While Rohit faces, his partner is the last or next other batter; the pairs below are those of the marks.
        let partners: [Character] = ["I", "I", "S", "S", "T", "T", "H", "D", "D", "G", "K", "K", "K"]
        let other = striker == partner ? partners[over] : partner
        var dismissals: [Dismissal] = []
        if what == "W" {
            let fielder = striker == "R" ? [Fielder(name: "Virat Kohli")] : []
            dismissals = [Dismissal(kind: striker == "R" ? .caught : .bowled, out: player, fielders: fielder)]
        } else if what.hasSuffix("h") {
            dismissals = [Dismissal(kind: .retiredHurt, out: player)]
        }
        let runs =
            what == "wd" ? DeliveryRuns(wides: 1) : DeliveryRuns(bat: Int(what.filter(\.isNumber)) ?? 0)
        script.add(
            runs: runs,
            isLegal: what != "wd",
            dismissals: dismissals,
            striker: player,
            nonStriker: .named(names[other] ?? ""),
            over: over,
            by: bowler
        )
    }
}

/// India lead by 38 at tea on the third day.
enum TestExample {
    static let json =
        #"{"v":1,"rev":3120,"matchDisplayState":"break","compactLeading":{"teamAbbr":"IND","score":"245 & 87/6"},"#
        + #""compactTrailing":{"overs":"31.2","runRate":"2.78","text":"Tea"},"minimal":{"text":"87/6"},"#
        + #""expanded":{"teams":[{"abbr":"IND","score":"245 & 87/6","overs":"31.2","batting":true},"#
        + #"{"abbr":"AUS","score":"294","batting":false}],"#
        + #""batters":[{"name":"R Pant","runs":31,"balls":40,"onStrike":true},"#
        + #"{"name":"R Jadeja","runs":8,"balls":22,"onStrike":false}],"#
        + #""bowler":{"name":"P Cummins","figures":"3/21","overs":"9.2"},"#
        + #""recent":["1",".",".","4","1","."],"line":"Day 3, tea: IND lead by 38"},"#
        + #""lockScreen":{"line":"Day 3, tea: IND lead by 38","sub":"Partnership 33 (58)"},"#
        + #""small":{"top":"IND 245 & 87/6","bottom":"AUS 294","line":"lead by 38"}}"#

    static var script: MatchScript {
        var script = MatchScript.test()
        script.status(.live, day: 1)
        script.begin(.first)
        script.fill(runs: 245, wickets: 10, balls: 480)
        script.begin(.second)
        script.fill(runs: 294, wickets: 10, balls: 540)
        script.begin(.first)
        var pair = ["X0", "X1"]
        var order = ["X2", "X3", "X4", "X5", "R Pant", "R Jadeja"]
        let wickets: Set = [10, 30, 60, 78, 90, 129]
        for ball in 0..<188 {
            let striker = facing(ball, pair)
            let isOut = wickets.contains(ball)
            script.add(
                runs: DeliveryRuns(bat: isOut ? 0 : runs(ball)),
                dismissals: isOut ? [Dismissal(kind: .bowled, out: .named(striker))] : [],
                striker: .named(striker),
                nonStriker: .named(pair[0] == striker ? pair[1] : pair[0]),
                over: ball / 6,
                by: ball >= 78 && (ball / 6).isMultiple(of: 2) == false ? "P Cummins" : "M Starc"
            )
            if isOut { pair = [pair[0] == striker ? pair[1] : pair[0], order.removeFirst()] }
        }
        script.status(.tea, day: 3)
        return script
    }

    private static func facing(_ ball: Int, _ pair: [String]) -> String {
        switch ball {
        case ..<120, 124..<130: pair[0]
        case 120..<124: "R Pant"
        case 130...150, 186: "R Jadeja"
        default: "R Pant"
        }
    }

    private static func runs(_ ball: Int) -> Int {
        switch ball {
        case 0...28, 79...83, 91...95, 102...107, 114...117: 1
        case 120: 4
        case 121, 122: 1
        case 132...137, 144, 182, 186: 1
        case 156...158, 168, 169, 185: 4
        default: 0
        }
    }
}
