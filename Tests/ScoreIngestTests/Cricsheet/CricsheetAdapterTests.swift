// The adapter's reading of balls, innings and frames.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = CricsheetSample

@Suite struct CricsheetAdapterTests {
    private let adapter = CricsheetAdapter()

    @Test func readsPeopleRunsAndExtras() throws {
        let more =
            #","wickets":[{"player_out":"B Two","kind":"run out","fielders":[{"substitute":true},{"name":"Y El"}]}]"#
        let snapshot = try Sample.snapshot(overs: [
            [
                Sample.ball(4), Sample.ball(0, extras: ["wides": 5]),
                Sample.ball(1, extras: ["noballs": 1, "legbyes": 2]),
                Sample.ball(0, extras: ["byes": 1, "penalty": 5], more: more),
            ]
        ])
        let balls = snapshot.deliveries
        #expect(balls.map(\.isLegal) == [true, false, false, true])
        #expect(balls[0].striker == Player(id: "aaaa1111", name: "A One"))
        #expect(balls[0].nonStriker == Player(id: "B Two", name: "B Two"))
        #expect(balls[1].runs == DeliveryRuns(wides: 5))
        #expect(balls[2].runs == DeliveryRuns(bat: 1, noBalls: 1, legByes: 2))
        #expect(balls[3].runs == DeliveryRuns(byes: 1, penalty: 5))
        let out = Player(id: "B Two", name: "B Two")
        let fielders = [Fielder(name: nil, isSubstitute: true), Fielder(name: "Y El")]
        #expect(balls[3].dismissals == [Dismissal(kind: .runOut, out: out, fielders: fielders)])
    }

    @Test func readsAllRunBoundaries() throws {
        let ball = Sample.ball(4).replacingOccurrence(of: #""total":4"#, with: #""total":4,"non_boundary":true"#)
        #expect(try Sample.snapshot(overs: [[ball, Sample.ball(4)]]).deliveries.map(\.isAllRun) == [true, false])
    }

    @Test func anUnknownDismissalIsAWicket() throws {
        let more = #","wickets":[{"player_out":"A One","kind":"spirited away"},{"playeer_out":"?","kind":"bowled"}]"#
        let wickets = try Sample.snapshot(overs: [[Sample.ball(more: more)]]).deliveries[0].dismissals
        #expect(wickets.map(\.kind) == [.other, .bowled])
        #expect(wickets.map(\.out.name) == ["A One", "A One"])
    }

    @Test func appendingChangesNoEarlierKey() throws {
        let over = [Sample.ball(1), Sample.ball(extras: ["wides": 1]), Sample.ball(2)]
        let before = try Sample.snapshot(overs: [over, over]).deliveries
        let after = try Sample.snapshot(overs: [over, over + [Sample.ball(6)], over]).deliveries
        #expect(Array(after.prefix(before.count)) == before)
        #expect(Set(after.map(\.key)).count == after.count)
        #expect(after.map(\.order) == after.map(\.order).sorted())
        #expect(before.map(\.key.text) == ["1.0.1", "1.0.2", "1.0.3", "1.1.1", "1.1.2", "1.1.3"])
    }

    @Test func anInsertionMovesOnlyItsOwnOver() throws {
        let over = [Sample.ball(1), Sample.ball(2), Sample.ball(3)]
        let before = try Sample.snapshot(overs: [over, over, over]).deliveries
        var longer = over
        longer.insert(Sample.ball(extras: ["wides": 1]), at: 1)
        let after = try Sample.snapshot(overs: [over, longer, over]).deliveries
        let changed = Set(after).subtracting(before)
        #expect(Set(changed.map(\.over)) == [1])
        #expect(changed.count == 3)
    }

    @Test func anOverInTwoPartsIsCountedOn() throws {
        let innings = """
            {"team":"Reds","overs":[{"over":1,"deliveries":[\(Sample.ball(1))]},
            {"over":0,"deliveries":[\(Sample.ball(2))]},
            {"over":1,"deliveries":[\(Sample.ball(3))]}]}
            """
        let balls = try adapter.snapshot(Sample.document(innings: [innings])).deliveries
        #expect(balls.map(\.key.text) == ["1.0.1", "1.1.1", "1.1.2"])
    }

    @Test func readsInningsFacts() throws {
        let facts = """
            ,"declared":true,"absent_hurt":["B Two"],"penalty_runs":{"pre":5,"post":10},
            "target":{"runs":101,"overs":8.4},
            "powerplays":[{"from":0.1,"to":0.3,"type":"mandatory"},{"from":5.1,"to":5.9,"type":"batting"}]
            """
        let over = [Sample.ball(), Sample.ball(extras: ["wides": 1]), Sample.ball()]
        let innings = [
            Sample.innings("Blues", overs: [over]), Sample.innings("Reds", overs: [over], more: facts),
            #"{"team":"Blues","forfeited":true}"#,
        ]
        let outcome = #","outcome":{"winner":"Reds","by":{"runs":3},"method":"D/L"}"#
        let frames = try adapter.snapshot(Sample.document(info: outcome, innings: innings)).innings
        #expect(frames.map(\.ordinal) == [1, 2, 3])
        #expect(frames.map(\.batting) == [.second, .first, .second])
        #expect(frames.map(\.isClosed) == [true, true, false])
        #expect(frames[2].isForfeited)
        let second = frames[1]
        #expect(second.isDeclared && second.absent.map(\.name) == ["B Two"])
        #expect(second.penaltyBefore == 5 && second.penaltyAfter == 10)
        #expect(second.target == Target(runs: 101, balls: 52, method: "D/L"))
        // The third delivery of the over is its second legal ball; an over not yet bowled ends with its sixth.
        #expect(second.powerplays.map(\.last) == [BallLabel(over: 0, ball: 2), BallLabel(over: 5, ball: 6)])
    }

    @Test func tenthDeliveryEndsAPowerplayThatReadsAsFirst() throws {
        let over =
            Array(repeating: Sample.ball(extras: ["wides": 1]), count: 4)
            + Array(repeating: Sample.ball(), count: 6)
        let facts = #","powerplays":[{"from":0.1,"to":0.10,"type":"mandatory"}]"#
        let frames = try adapter.snapshot(Sample.document(innings: [Sample.innings(overs: [over], more: facts)]))
            .innings
        #expect(frames[0].powerplays[0].last == BallLabel(over: 0, ball: 6))
    }

    @Test func superOversArePaired() throws {
        let one = Sample.innings(overs: [[Sample.ball()]])
        let extra = Sample.innings(overs: [[Sample.ball()]], more: #","super_over":true"#)
        let frames = try adapter.snapshot(Sample.document(innings: [one, one, extra, extra, extra, extra])).innings
        #expect(frames.map(\.superOver) == [nil, nil, 1, 1, 2, 2])
    }

    @Test func theBreakClosesTheInningsBeforeTheNextBegins() throws {
        let closed = try ["live", "inningsBreak", "innings_break"].map { state in
            try Sample.snapshot(overs: [[Sample.ball()]], live: #"{"state":"\#(state)"}"#).innings[0].isClosed
        }
        #expect(closed == [false, true, true])
    }

    @Test func readsFixtures() throws {
        let body = #"{"matches":[{"id":"m1","startsAt":1700000000,"state":"live"},{"id":"m2","state":"asleep"}]}"#
        let fixtures = try adapter.fixtures(ProviderReplies([.list: Array(body.utf8)]), ProviderSession()).fixtures
        #expect(fixtures.map(\.match.text) == ["m1", "m2"])
        #expect(fixtures[0].startsAt == 1_700_000_000 && fixtures[0].status == .live)
        #expect(fixtures[1].startsAt == nil && fixtures[1].status == nil)
    }

    @Test func decodingAndEncodingPreservesTheDocument() throws {
        let more = #","wickets":[{"player_out":"B Two","kind":"run out","fielders":[{"substitute":true}]}]"#
        let facts = #","absent_hurt":["B Two"],"penalty_runs":{"pre":5},"target":{"runs":101,"overs":8.4}"#
        let innings = [Sample.innings(overs: [[Sample.ball(3, extras: ["noballs": 1], more: more)]], more: facts)]
        let info = #","toss":{"winner":"Blues","decision":"field"},"city":"Millford"#
        let live = #"{"state":"rain","note":"Covers on","since":5,"startsAt":1,"version":9}"#
        let bytes = Sample.document(info: info + "\"", innings: innings, live: live)
        let again = JSONWriter.document(try CricsheetDocument(json: bytes))
        #expect(try adapter.snapshot(again) == adapter.snapshot(bytes))
        #expect(try adapter.snapshot(again).version == 9)
    }
}

extension String {
    /// The text with one part of it changed.
    fileprivate func replacingOccurrence(of part: String, with other: String) -> String {
        guard let range = firstRange(of: part) else { return self }
        var copy = self
        copy.replaceSubrange(range, with: other)
        return copy
    }
}
