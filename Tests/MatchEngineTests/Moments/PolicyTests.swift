// The level of each moment by format, and its change by the configuration.

import Testing

@testable import MatchEngine

@Suite struct PolicyTests {
    @Test func onlyTheMomentsOfTheContractAreLoud() {
        for format in Format.allCases {
            let loud = Set(Moment.Kind.allCases.filter { MomentPolicy.standard[$0, format] == .loud })
            var wanted: Set<Moment.Kind> = [
                .wicket, .hundred, .fiveWickets, .hatTrick, .inningsEnd, .result, .superOver, .resumption,
            ]
            if format.isLimitedOvers { wanted.insert(.fifty) }
            #expect(loud == wanted, "\(format)")
        }
    }

    @Test func theConfigurationMakesAKindLoudOrSilent() {
        var policy = MomentPolicy.standard
        policy[.hatTrick, .test] = .off
        policy[.tenInMatch, .test] = .loud
        policy[.maiden, .test] = .spoken
        policy[smallestHaul: .test] = 3
        var script = MatchScript.test()
        script.begin(.first)
        script.bowl("W W W . . .", by: "One")
        var replica = MatchReplica(options: EngineOptions(moments: policy))
        replica.apply(script.changes)
        let announced = replica.state.moments
        #expect(!announced.contains { $0.kind == .hatTrick })
        #expect(announced.contains { $0.key.text == "3w:1:One" })
        let maiden = announced.first { $0.kind == .maiden }
        #expect(maiden?.isAlert == true && maiden?.priority == .five)
        #expect(script.state.moments.contains { $0.kind == .hatTrick && $0.isAlert })
    }

    @Test func everyKindCanBeSilenced() {
        var policy = MomentPolicy.standard
        for kind in Moment.Kind.allCases { policy[kind, .t20] = .off }
        var info = MatchInfo.make(.t20, ballLimit: 12)
        info.toss = Toss(winner: .first, decision: .bat)
        var script = MatchScript(info)
        script.status(.rain, since: 0)
        script.status(.live, since: 9_000)
        script.begin(.first) { $0.penaltyBefore = 5 }
        script.bowl("W W W W 6 6 6 6 6 6 6 6 6 6")
        script.begin(.second) { $0.target = Target(runs: 4, balls: 6, method: "DLS") }
        script.bowl("4")
        var replica = MatchReplica(options: EngineOptions(moments: policy))
        replica.apply(script.changes)
        #expect(replica.state.moments.isEmpty)
        #expect(script.state.moments.count > 10)
    }

    @Test func teamHundredsAndHundredPartnershipsHaveTheirOwnLevels() {
        var policy = MomentPolicy.standard
        policy[teamHundred: .t20] = .loud
        policy[partnershipHundred: .t20] = .spoken
        var script = MatchScript.t20()
        script.begin(.first)
        script.fill(runs: 102, wickets: 0, balls: 36)
        var replica = MatchReplica(options: EngineOptions(moments: policy))
        replica.apply(script.changes)
        let announced = replica.state.moments.filter { $0.kind == .teamMilestone || $0.kind == .partnership }
        #expect(announced.filter(\.isAlert).map(\.key.text) == ["t100:1", "p100:1:1"])
        #expect(announced.filter { $0.priority == .ten }.map(\.key.text) == ["t100:1"])
    }

    @Test func aHundredFollowsTheOtherMilestonesUnlessItIsSetItself() {
        var policy = MomentPolicy.standard
        policy[teamHundred: .t20] = .loud
        policy[.partnership, .t20] = .off
        #expect(policy[teamHundred: .t20] == .loud && policy[partnershipHundred: .t20] == .off)
        policy[partnershipHundred: .t20] = .spoken
        policy[.teamMilestone, .t10] = .off
        #expect(policy[partnershipHundred: .t20] == .spoken && policy[teamHundred: .t10] == .off)
    }

    @Test func boundariesAreNeverMoreThanAFlash() {
        var policy = MomentPolicy.standard
        policy[.six, .t20] = .loud
        #expect(policy[.six, .t20] == .flash)
        policy[.six, .t20] = .off
        #expect(policy[.six, .t20] == .off)
    }

    @Test func quietMomentsAreNotAnnounced() {
        #expect(MomentPolicy.Level.allCases.filter(\.isAlert) == [.spoken, .loud])
        #expect(MomentPolicy.Level.allCases.filter { $0.priority == .ten } == [.loud])
    }

    @Test func everyKindHasItsPlaceAndARelevance() {
        #expect(Moment.Kind.allCases.map(\.rank) == Array(0..<Moment.Kind.allCases.count))
        #expect(Moment.Kind.allCases.allSatisfy { (0...100).contains($0.relevance) })
    }
}
