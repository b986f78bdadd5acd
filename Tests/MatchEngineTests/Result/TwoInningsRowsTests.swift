// Every result of four innings (cricket.md C.8, C.9, C.13), to the run.

import Testing

@testable import MatchEngine

@Suite struct TwoInningsRowsTests {
    /// An innings of the table: the batting side, the runs, and whether it was complete.
    struct Innings: Sendable {
        let side: Side
        let runs: Int
        let wickets: Int

        static func home(_ runs: Int, _ wickets: Int = 10) -> Innings {
            Innings(side: .first, runs: runs, wickets: wickets)
        }
        static func away(_ runs: Int, _ wickets: Int = 10) -> Innings {
            Innings(side: .second, runs: runs, wickets: wickets)
        }
    }

    private func script(_ innings: [Innings]) -> MatchScript {
        var script = MatchScript.test()
        script.status(.toss)
        script.status(.live)
        for one in innings {
            script.begin(one.side)
            script.fill(runs: one.runs, wickets: one.wickets, balls: one.runs + 20)
        }
        return script
    }

    @Test(
        arguments: [
            // Two innings and less decide nothing.
            ([.home(100)], nil), ([.home(100), .away(90)], nil), ([.home(40), .away(300, 5)], nil),
            // Three innings: beaten by an innings, or not yet.
            ([.home(100), .away(300), .home(199)], "AUS by an innings and 1 run"),
            ([.home(100), .away(300), .home(200)], nil), ([.home(100), .away(300), .home(201)], nil),
            ([.home(100), .away(300), .home(150, 9)], nil),
            ([.home(300), .away(100), .away(150)], "IND by an innings and 50 runs"),
            ([.home(300), .away(100), .away(200)], nil), ([.home(300), .away(100), .away(199, 9)], nil),
            // Four innings: by wickets, by runs, level, still on.
            ([.home(100), .away(100), .home(50), .away(51, 0)], "AUS by 10 wickets"),
            ([.home(100), .away(100), .home(50), .away(51, 9)], "AUS by 1 wicket"),
            ([.home(100), .away(100), .home(50), .away(50, 9)], nil),
            ([.home(100), .away(100), .home(50), .away(50)], "tied"),
            ([.home(100), .away(100), .home(50), .away(49)], "IND by 1 run"),
            ([.home(100), .away(100), .home(50), .away(10, 9)], nil),
            ([.home(300), .away(100), .away(250), .home(51, 3)], "IND by 7 wickets"),
            ([.home(300), .away(100), .away(250), .home(50, 3)], nil),
            ([.home(300), .away(100), .away(250), .home(49)], "AUS by 1 run"),
            ([.home(300), .away(100), .away(250), .home(50)], "tied"),
        ] as [([Innings], String?)]
    )
    func totalsDecide(innings: [Innings], outcome: String?) {
        let state = script(innings).state
        #expect(Self.words(state.result) == outcome)
        #expect(Self.words(state.proven) == outcome)
    }

    /// Time runs out: no totals make a winner of an incomplete match.
    @Test(
        arguments: [
            [.home(100)], [.home(500, 3), .away(50, 9)], [.home(100), .away(300), .home(150, 9)],
            [.home(100), .away(100), .home(50), .away(50, 9)], [.home(100), .away(100), .home(500, 2), .away(10, 9)],
        ] as [[Innings]]
    )
    func timeEndsAMatchAsADraw(innings: [Innings]) {
        var script = script(innings)
        script.status(.drawn)
        #expect(Self.words(script.state.result) == "drawn" && script.state.result?.isOfficial == true)
    }

    /// A decided result stays decided when the feed then only ends the match.
    @Test func theStatusOfTheFeedConfirmsTheProvenResult() {
        var script = script([.home(100), .away(100), .home(50), .away(49)])
        #expect(script.state.result?.isOfficial == false)
        script.status(.result)
        #expect(Self.words(script.state.result) == "IND by 1 run" && script.state.result?.isOfficial == true)
    }

    /// A side with one run to chase: level after three innings of its opponent's two.
    @Test func levelScoresAfterThreeInningsRequireOneRun() throws {
        let state = script([.home(300), .away(100), .away(200)]).state
        let chase = try #require(state.chase)
        #expect(chase.side == .first && chase.target.runs == 1 && chase.needed == 1 && state.isLevel == false)
    }

    private static func words(_ result: MatchResult?) -> String? {
        guard let result else { return nil }
        let who = result.winner == .first ? "IND" : "AUS"
        func counted(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
        return switch result.kind {
        case .runs(let margin): "\(who) by \(counted(margin, "run"))"
        case .wickets(let margin): "\(who) by \(counted(margin, "wicket"))"
        case .innings(let margin): "\(who) by an innings and \(counted(margin, "run"))"
        case .tie: "tied"
        case .draw: "drawn"
        default: "\(result.kind)"
        }
    }
}
