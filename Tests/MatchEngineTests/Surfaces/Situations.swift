// Matches in every situation in which a surface is drawn, by name.

@testable import MatchEngine

/// A match in a situation, and the moment that it announces.
struct Situation: Sendable, CustomStringConvertible {
    let description: String
    let script: MatchScript

    var replica: MatchReplica { script.replica }
    var event: Moment? { replica.state.moments.last { $0.isAlert } }

    /// The content state at revision 412 in a layout.
    func content(_ version: ContentStateVersion = .standard, event: Moment?) -> ContentState {
        let (state, info) = (replica.state, replica.record.info ?? script.info)
        let content = ContentStateRenderer.render(state, info: info, revision: 412, event: event)
        return ContentStateRenderer.laidOut(content, of: state, as: version)
    }

    static let all: [Situation] = {
        var all = [
            Situation(description: "before the toss", script: .t20()),
            Situation(description: "a wicket in a chase", script: ChaseExample.script),
            Situation(description: "a Test at tea", script: TestExample.script),
            Situation(description: "a super over", script: superOver()),
            Situation(description: "the hundred", script: hundred()),
            Situation(description: "hostile names", script: hostile()),
            Situation(description: "no teams", script: MatchScript(MatchInfo(format: .t20, teams: []))),
        ]
        let pauses: [(String, MatchStatus)] = [
            ("a chase", .live), ("a timeout", .strategicTimeout), ("rain", .rain), ("no result", .noResult),
            ("abandoned", .abandoned), ("a result", .result),
        ]
        for (name, status) in pauses {
            var script = chase()
            script.status(status)
            if status == .result { script.result(ProviderResult(kind: .runs(21), winner: .first, method: "DLS")) }
            all.append(Situation(description: name, script: script))
        }
        for (name, status) in [("stumps", MatchStatus.stumps), ("lunch", .lunch), ("a draw", .drawn)] {
            var script = TestExample.script
            script.status(status, day: 3)
            all.append(Situation(description: name, script: script))
        }
        var first = MatchScript.t20()
        first.status(.live)
        first.begin(.first)
        first.bowl("1 . 4 6 W lb2 wd 2")
        all.append(Situation(description: "the first innings", script: first))
        var pause = MatchScript.t20()
        pause.begin(.first)
        pause.fill(runs: 169, wickets: 9, balls: 120)
        pause.status(.inningsBreak)
        all.append(Situation(description: "the innings break", script: pause))
        return all
    }()

    static func chase() -> MatchScript {
        var script = MatchScript.t20()
        script.status(.live)
        script.begin(.first)
        script.fill(runs: 169, wickets: 9, balls: 120)
        script.begin(.second)
        script.fill(runs: 87, wickets: 6, balls: 75)
        return script
    }

    private static func superOver() -> MatchScript {
        var script = MatchScript.t20(balls: 6)
        script.status(.live)
        script.begin(.first)
        script.bowl("1 1 1 1 1 1")
        script.begin(.second)
        script.bowl("1 1 1 1 1 1")
        script.status(.superOver)
        script.begin(.second) { $0.superOver = 1 }
        script.bowl("4 6 W")
        return script
    }

    private static func hundred() -> MatchScript {
        var script = MatchScript.t20(balls: 100, format: .hundred)
        script.status(.live)
        script.begin(.first)
        script.fill(runs: 80, wickets: 3, balls: 63)
        return script
    }

    /// Every text as long, wide and unusual as a feed may send it.
    private static func hostile() -> MatchScript {
        let name = String(repeating: "𝔘\u{202e}\"\\\u{1}é", count: 60)
        var info = MatchInfo.make(.t20, ballLimit: 120, first: name, second: name + "2")
        info.competition = name
        info.venue = name
        var script = MatchScript(info)
        script.status(.live, note: name)
        script.begin(.first)
        script.bowler = name
        script.bowl("1 4 6 W . 2 nb5 wd2")
        return script
    }
}
