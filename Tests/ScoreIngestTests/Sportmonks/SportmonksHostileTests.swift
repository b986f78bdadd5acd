// Broken, absurd and hostile replies: each is refused with its place, and none traps.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = SportmonksSample

@Suite struct SportmonksHostileTests {
    @Test(arguments: [
        "", "\0\0", "<html>503</html>", "{", "null", "[]", "{}", #"{"data":null}"#, #"{"data":[]}"#, #"{"data":{}}"#,
        String(repeating: "[", count: 10_000), String(repeating: #"{"data":"#, count: 10_000),
    ])
    func notAFixture(text: String) {
        #expect(throws: AdapterError.self) { try Sample.snapshot(Array(text.utf8)) }
    }

    @Test("F4: every truncation is refused")
    func everyTruncationIsRefused() throws {
        let whole = Sample.fixture(balls: [Sample.ball(1)])
        let session = try Sample.session()
        for count in 0..<whole.count {
            let replies = ProviderReplies([.match: Array(whole.prefix(count))])
            #expect(throws: AdapterError.self) { try SportmonksAdapter().snapshot(replies, session) }
        }
    }

    @Test(arguments: [0.2, 7.1]) func anIDBelongsToOneBallOfTheMatch(label: Double) throws {
        let rows = [Sample.ball(5), Sample.ball(5, label: label)]
        #expect(throws: AdapterError.contradiction(path: "data.balls[1].id", expected: "each id once")) {
            try Sample.snapshot(Sample.fixture(balls: rows))
        }
    }

    @Test(arguments: [
        (#""score_id":82"#, #""score_id":"82""#, "data.balls.data[0].score_id"),
        (#""score_id":82"#, #""score_id":9223372036854775807"#, "data.balls[0].score_id"),
        (#""ball":0.1"#, #""ball":-1"#, "data.balls[0].ball"),
        (#""ball":0.1"#, #""ball":1e300"#, "data.balls[0].ball"),
        (#""scoreboard":"S1""#, #""scoreboard":"S99""#, "data.balls[0].scoreboard"),
        (#""scoreboard":"S1""#, #""scoreboard":"Q1""#, "data.balls[0].scoreboard"),
        (#"{"id":5,"#, #"{"id":-5,"#, "data.balls[0].id"),
        (#"{"id":5,"#, #"{"id":9223372036854775807,"#, "data.balls[0].id"),
        (#""team_id":1,"inning":1"#, #""team_id":9,"inning":1"#, "data.runs[0].team_id"),
        (#""inning":1"#, #""inning":0"#, "data.runs[0].inning"),
        (#""type":"T20""#, #""type":"T21""#, "data.type"),
        (#""visitorteam_id":2"#, #""visitorteam_id":1"#, "data.visitorteam_id"),
        (#""localteam":{"id":1"#, #""localteam":{"id":3"#, "data.localteam.id"),
        (#""elected":"batting""#, #""elected":"sleeping""#, "data.elected"),
        (#""rpc_target":80"#, #""rpc_target":-80"#, "data.rpc_target"),
        (#""rpc_overs":10"#, #""rpc_overs":1e99"#, "data.rpc_overs"),
        (#""rpc_overs":10"#, #""rpc_overs":"ten""#, "data.rpc_overs"),
    ])
    func aBadFieldIsNamed(part: String, other: String, path: String) throws {
        let more = #","toss_won_team_id":1,"elected":"batting","rpc_target":80,"rpc_overs":10"#
        let runs = #"{"team_id":1,"inning":1},{"team_id":2,"inning":2}"#
        let body = Sample.fixture(balls: [Sample.ball(5)], runs: runs, more: more)
        let text = String(decoding: body, as: UTF8.self)
        _ = try Sample.snapshot(body)
        let broken = text.replacing(part, with: other)
        #expect(broken != text)
        let error = #expect(throws: AdapterError.self) { try Sample.snapshot(Array(broken.utf8)) }
        #expect(error?.path == path)
    }

    @Test(arguments: [(Int.min, 0), (Int.max, 10)]) func theFallOfAWicketMayBeAnyNumber(fall: Int, before: Int) throws {
        let out = Sample.ball(2, label: 0.2, score: 54, more: #","batsmanout_id":11"#)
        let more = #"""
            ,"scoreboards":[{"team_id":1,"type":"extra","scoreboard":"S1","penalty":10}],
            "batting":[{"team_id":1,"scoreboard":"S1","player_id":11,"wicket_id":54,"fow_score":\#(fall)}]
            """#
        let runs = #"{"team_id":1,"inning":1},{"team_id":2,"inning":2}"#
        let body = Sample.fixture(balls: [Sample.ball(1, score: 69), out], runs: runs, more: more)
        let innings = try Sample.snapshot(body).innings[0]
        #expect([innings.penaltyBefore, innings.penaltyAfter] == [before, 10 - before])
    }

    @Test func anErrorWithStatus200IsARefusal() throws {
        let body = Array(#"{"error":{"message":"Your plan has no access","code":403}}"#.utf8)
        let error = #expect(throws: AdapterError.self) { try Sample.snapshot(body) }
        #expect(error == .refused(path: "error", reason: "Your plan has no access"))
        let table = ProviderReplies([.scores: Array(#"{"message":"Unauthenticated."}"#.utf8)])
        let refused = #expect(throws: AdapterError.self) {
            try SportmonksAdapter().session(table, .none, at: .init(milliseconds: 0))
        }
        #expect(refused == .refused(path: "scores:error", reason: "Unauthenticated."))
    }

    @Test func aRepeatedIDIsRefused() throws {
        let body = Sample.fixture(balls: [Sample.ball(5), Sample.ball(5)])
        let error = #expect(throws: AdapterError.self) { try Sample.snapshot(body) }
        #expect(error?.path == "data.balls[1].id")
    }
}
