// The course of a match: toss, start, pauses, stops, targets, ends; row by row of the fact sheet (cricket.md C.12).

import Testing

@testable import MatchEngine

@Suite struct StatusMomentTests {
    private func moments(_ script: MatchScript, _ kind: Moment.Kind) -> [Moment] {
        script.state.moments.filter { $0.kind == kind }
    }

    @Test func lineupsTossAndStartAreTheFirstMoments() {
        var info = MatchInfo.make(.t20, ballLimit: 120)
        info.toss = Toss(winner: .second, decision: .field)
        var script = MatchScript(info)
        script.status(.lineups)
        script.status(.toss)
        #expect(script.state.moments.map(\.kind) == [.lineups, .toss])
        script.status(.live)
        script.begin(.first)
        script.bowl("W")
        #expect(script.state.moments.prefix(4).map(\.kind) == [.lineups, .toss, .start, .wicket])
        #expect(moments(script, .toss).first?.body == "Chennai Super Kings won the toss and field first")
        #expect(moments(script, .start).first?.body == "Mumbai Indians v Chennai Super Kings")
        #expect(script.state.moments.prefix(3).allSatisfy { $0.priority == .five && !$0.isAlert })
    }

    @Test func anUncontestedTossIsAMoment() {
        var info = MatchInfo.make(.firstClass)
        info.toss = Toss(winner: .first, decision: .uncontested)
        #expect(moments(MatchScript(info), .toss).first?.body == "No toss: Mumbai Indians field first")
    }

    @Test func everyIntervalIsAnnouncedOnce() {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("1")
        script.status(.live)
        let words: [MatchStatus] = [
            .drinks, .lunch, .drinks, .tea, .dinner, .stumps, .inningsBreak, .strategicTimeout, .restDay,
        ]
        for word in words {
            script.status(word)
            script.status(word, note: "still")
            script.status(.live)
        }
        #expect(
            moments(script, .interval).map(\.key.text) == [
                "iv:drinks:1", "iv:lunch:1", "iv:drinks:2", "iv:tea:1", "iv:dinner:1", "iv:stumps:1",
                "iv:inningsBreak:1", "iv:strategicTimeout:1", "iv:restDay:1",
            ]
        )
        #expect(moments(script, .interval).allSatisfy { $0.priority == .five && !$0.isAlert && $0.relevance == 30 })
        #expect(moments(script, .resumption).isEmpty)
    }

    @Test func everyStopIsAnnounced() {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("1")
        let words: [MatchStatus] = [
            .rain, .badLight, .wetOutfield, .floodlight, .crowd, .pitch, .suspended, .startDelayed, .tossDelayed,
            .injury, .ballChange,
        ]
        for word in words { script.status(word, note: word == .rain ? "Heavy rain" : nil) }
        #expect(moments(script, .delay).map(\.subject) == words.map(\.rawValue))
        #expect(moments(script, .delay).first?.body == "Heavy rain")
    }

    @Test func onlyTheEndOfALongStopIsLoud() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1")
        script.status(.rain, since: 1000)
        script.status(.live, since: 1600)
        script.status(.rain, since: 2000)
        script.status(.live, since: 5600)
        let announced = moments(script, .resumption)
        #expect(announced.map(\.isAlert) == [false, true])
        #expect(announced.map(\.priority) == [.five, .ten])
        #expect(announced.map(\.body) == ["Play goes on after rain", "Play goes on after rain"])
    }

    @Test func aRequestedReviewIsAMoment() {
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("1")
        script.status(.review)
        #expect(moments(script, .review).map(\.key.text) == ["rt:review:1"])
    }

    @Test func aRevisedTargetIsAMoment() {
        var script = MatchScript.t20()
        script.begin(.first)
        script.fill(runs: 150, wickets: 0, balls: 120)
        script.begin(.second) { $0.target = Target(runs: 151, balls: 120) }
        #expect(moments(script, .targetRevised).isEmpty)
        script.reframe { $0.target = Target(runs: 100, balls: 64, method: "DLS") }
        #expect(moments(script, .targetRevised).map(\.body) == ["CSK need 100 from 10.4 overs (DLS)"])
        script.reframe { $0.target = Target(runs: 80, balls: 48, method: "DLS") }
        #expect(moments(script, .targetRevised).map(\.key.text) == ["tgt:2:80:48"])
        #expect(moments(script, .targetRevised).map(\.priority) == [.five])
    }

    @Test func lostOversAreAMoment() {
        var script = MatchScript.t20()
        var replica = script.replica
        script.info.ballLimit = 90
        replica.apply(.info(script.info))
        let lost = replica.state.moments.filter { $0.kind == .oversLost }
        #expect(lost.map(\.body) == ["Innings of 15 overs"] && lost.map(\.key.text) == ["cut:90"])
    }

    @Test func declarationAndFollowOnAreMoments() {
        var script = MatchScript.test()
        script.begin(.first)
        script.fill(runs: 400, wickets: 0, balls: 120)
        script.reframe { $0.isDeclared = true }
        script.begin(.second)
        script.fill(runs: 20, wickets: 10, balls: 60)
        script.begin(.second)
        script.bowl("1")
        let ends = moments(script, .inningsEnd)
        #expect(ends.map(\.title) == ["Declared", "All out!"])
        #expect(ends.allSatisfy { $0.priority == .ten && $0.isAlert })
        #expect(moments(script, .followOn).map(\.body) == ["AUS follow on"])
    }

    @Test func everyKindOfResultIsAMoment() {
        let results: [(ProviderResult, MatchStatus)] = [
            (ProviderResult(kind: .runs(10), winner: .first), .result), (ProviderResult(kind: .tie), .tied),
            (ProviderResult(kind: .draw), .drawn), (ProviderResult(kind: .noResult), .noResult),
        ]
        for (result, status) in results {
            var script = MatchScript.test()
            script.begin(.first)
            script.bowl("1")
            script.status(status)
            script.result(result)
            let announced = moments(script, .result)
            #expect(
                announced.count == 1 && announced[0].key.text == "res" && announced[0].relevance == 100,
                "\(status)"
            )
            #expect(announced[0].priority == .ten && announced[0].isAlert && announced[0].isOfficial, "\(status)")
        }
    }

    @Test func theStartAndEndOfASuperOverAreMoments() {
        var script = MatchScript.t20(balls: 6)
        script.begin(.first)
        script.bowl("1 . . . . .")
        script.begin(.second)
        script.bowl("1 . . . . .")
        script.begin(.second) { $0.superOver = 1 }
        script.bowl("1 1 1 1 1 1")
        #expect(moments(script, .superOver).map(\.key.text) == ["so:1"])
        #expect(moments(script, .inningsEnd).map(\.key.text).contains("inn:3"))
    }

    @Test func alternatingStatusesAreBoundedInMemory() {
        var script = MatchScript.t20()
        for _ in 0..<400 {
            script.status(.rain)
            script.status(.live)
        }
        let replica = script.replica
        #expect(replica.record.statusHistory.transitions.count == EngineLimits.statusTransitions)
        #expect(Set(replica.state.moments.map(\.key)).count == replica.state.moments.count)
    }
}
