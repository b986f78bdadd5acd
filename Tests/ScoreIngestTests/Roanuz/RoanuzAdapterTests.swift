// Matches as a whole: frames, status, result, pages, sign-in, lists.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = RoanuzSample

@Suite struct RoanuzAdapterTests {
    private let adapter = RoanuzAdapter()
    private let id = ProviderMatchID(unchecked: "m1")

    @Test(arguments: [
        ("in_play", MatchStatus.live), ("drinks_break", .drinks), ("lunch_break", .lunch), ("tea_break", .tea),
        ("dinner_break", .dinner), ("innings_break", .inningsBreak), ("strategic_timeout", .strategicTimeout),
        ("stumps", .stumps), ("rain_delay", .rain), ("bad_light", .badLight), ("crowd_trouble", .crowd),
        ("bad_pitch_condition", .pitch), ("floodlight_failure", .floodlight),
        ("play_suspended_unknown", .suspended), ("start_delayed", .startDelayed), ("ball_change", .ballChange),
        ("player_injured", .injury), ("abandoned", .abandoned), ("canceled", .cancelled), ("result", .resultPending),
        ("super_over", .superOver),
    ])
    func statusWords(word: String, status: MatchStatus) throws {
        #expect(try Sample.snapshot([Sample.plain(0, 1)], status: word).status.status == status)
    }

    @Test func aMatchIsSubscribedForTheWebhook() throws {
        let session = ProviderSession(project: "RS_P_1", token: Secret("token-1"))
        let request = try #require(adapter.subscription(to: id, session))
        #expect(request.method == .post && request.target == "/cricket/RS_P_1/match/m1/subscribe/")
        #expect(request.headers.map(\.name) == ["rs-token", "content-type"])
        #expect(request.body == Array(#"{"method":"web_hook"}"#.utf8))
        #expect(!"\(request)".contains("token-1"))
        func answer(_ json: String) throws(AdapterError) {
            try adapter.subscribed(ProviderReplies([request.part: Array(json.utf8)]))
        }
        try answer(#"{"data":{"subscribed":true},"error":null}"#)
        let refusal = #expect(throws: AdapterError.self) { try answer(#"{"data":null,"error":{"code":"A-403-1"}}"#) }
        #expect(refusal == .refused(path: "subscribe:error", reason: "A-403-1"))
        #expect(throws: AdapterError.self) { try answer("<html>") }
        #expect(SportmonksAdapter().subscription(to: id, session) == nil)
    }

    @Test func statusesBeforeTheMatch() throws {
        func status(_ word: String, _ more: String = "") throws -> MatchStatus {
            let match = Sample.match(status: word, order: [], more: more)
            return try adapter.snapshot(ProviderReplies([.match: match]), ProviderSession()).status.status
        }
        #expect(try status("scheduled") == .scheduled)
        #expect(try status("pre_match") == .lineups)
        #expect(try status("pre_match", #","toss":{"winner":"b","elected":"bowl"}"#) == .toss)
        #expect(try status("abandoned") == .abandonedNoBall)
        #expect(try status("moon_landing") == .scheduled)
    }

    @Test func dayAndSessionAreRead() throws {
        let report = try Sample.snapshot([Sample.plain(0, 1)], play: #","day_number":3,"session":2"#).status
        #expect(report.day == 3)
        #expect(report.session == 2)
        let live = #","live":{"innings":"a_1","session":3},"session":null"#
        #expect(try Sample.snapshot([Sample.plain(0, 1)], play: live).status.session == 3)
        let word = live.replacing(#""session":3"#, with: #""session":"tea""#)
        #expect(try Sample.snapshot([Sample.plain(0, 1)], play: word).status.session == nil)
        #expect(try Sample.snapshot([], play: #","day_number":99"#).status.day == nil)
    }

    @Test func theBattersAtTheCreaseAreRead() throws {
        let live = #","live":{"innings":"a_1","striker_key":"p2","non_striker_key":"p1"}"#
        let frame = try Sample.snapshot([Sample.plain(0, 1)], play: live).innings[0]
        #expect(frame.crease?.striker?.name == "Bea Two")
        #expect(frame.crease?.nonStriker?.name == "Ann One")
    }

    @Test func theTargetBelongsToTheChasingSide() throws {
        let play =
            #","target":{"runs":101,"balls":75,"dl_applied":true},"overs_per_innings":[20,0],"reduced_overs":[12,3]"#
        let match = Sample.match(order: ["a_1", "b_1", "b_superover", "a_superover"], play: play)
        let snapshot = try adapter.snapshot(ProviderReplies([.match: match]), ProviderSession())
        #expect(snapshot.innings.map(\.target) == [nil, Target(runs: 101, balls: 75, method: "DLS"), nil, nil])
        #expect(snapshot.innings.map(\.superOver) == [nil, nil, 1, 1])
        #expect(snapshot.innings.map(\.batting) == [.first, .second, .second, .first])
        #expect(snapshot.info.ballLimit == 75)
        #expect(snapshot.version == 1_698_396_795_500)
        #expect(snapshot.info.teams[0].keeper == "p2")
    }

    @Test(arguments: [
        (#"{"winner":"a","result_type":"wickets","msg":"Reds won by 5 wickets"}"#, ProviderResult.Kind.wickets(5)),
        (#"{"winner":"a","result_type":"runs","msg":""}"#, .won), (#"{"winner":null,"result_type":"draw"}"#, .draw),
        (#"{"winner":"b","result_type":"tie","msg":"Match tied (Blues won the Super Over)"}"#, .tie),
        (#"{"winner":"","result_type":"no_result"}"#, .noResult),
    ])
    func results(json: String, kind: ProviderResult.Kind) throws {
        #expect(try Sample.snapshot([], status: "result", play: #","result":\#(json)"#).result?.kind == kind)
    }

    @Test(arguments: [
        (#""format":"t20""#, #""format":"t21""#, "match:data.format"),
        (#""innings_order":["a_1"]"#, #""innings_order":["c_1"]"#, "match:data.play.innings_order[0]"),
        (#""innings_order":["a_1"]"#, #""innings_order":["a_1","a_1"]"#, "match:data.play.innings_order"),
        (#""elected":"bat""#, #""elected":"sleep""#, "match:data.toss.elected"),
        (#""winner":"a""#, #""winner":"z""#, "match:data.toss.winner"),
        (#""overs_per_innings":[20,0]"#, #""overs_per_innings":[-1]"#, "match:data.play.overs_per_innings"),
        (#""runs":99,"#, #""runs":-9223372036854775808,"#, nil),
        (#""key":"m1","#, "", "match:data.key"),
    ])
    func aBadFieldIsNamed(part: String, other: String, path: String?) throws {
        let more = #","toss":{"winner":"a","elected":"bat"}"#
        let play = #","overs_per_innings":[20,0],"target":{"runs":99,"balls":120}"#
        let match = String(decoding: Sample.match(play: play, more: more), as: UTF8.self)
        func read(_ text: String) throws -> MatchSnapshot {
            try adapter.snapshot(ProviderReplies([.match: Array(text.utf8)]), ProviderSession())
        }
        _ = try read(match)
        guard let path else {
            // An invalid target is ignored.
            #expect(try read(match.replacing(part, with: other)).innings[0].target == nil)
            return
        }
        let error = #expect(throws: AdapterError.self) { try read(match.replacing(part, with: other)) }
        #expect(error?.path == path)
    }

    /// Lists contain the least: whether a match has begun, and whether it is over.
    @Test(arguments: [
        (#""status":"not_started""#, MatchStatus?.some(.scheduled)), (#""status":"started""#, .live),
        (#""status":"completed""#, .result), (#""status":"completed","play_status":"abandoned""#, .abandoned),
        (#""status":"started","play_status":"moon_landing""#, .live), (#""status":"paused""#, nil),
        (#""name":"x""#, nil),
    ])
    func listsContainTheState(words: String, status: MatchStatus?) throws {
        let list = Array(#"{"data":{"matches":[{"key":"m1",\#(words)}]}}"#.utf8)
        let fixtures = try adapter.fixtures(ProviderReplies([.list: list]), ProviderSession()).fixtures
        #expect(fixtures.map(\.status) == [status])
    }

    @Test(arguments: [
        "", "\0", "{", "null", "[]", "{}", #"{"data":null}"#, #"{"data":{}}"#, String(repeating: "[", count: 10_000),
    ])
    func notAMatch(text: String) {
        let replies = ProviderReplies([.match: Array(text.utf8), .balls: Array(text.utf8)])
        #expect(throws: AdapterError.self) { try adapter.snapshot(replies, ProviderSession()) }
        #expect(adapter.matchRequests(id, ProviderSession(), replies: replies).count == 2)
    }

    @Test func everyTruncationIsRefused() throws {
        let match = Sample.match(innings: ["a_1": Sample.innings((0, 1))])
        let page = Sample.page("a_1", 0, [Sample.plain(0, 1)])
        _ = try adapter.snapshot(ProviderReplies([.match: match, .balls: page]), ProviderSession())
        for count in 0..<match.count {
            let replies = ProviderReplies([.match: Array(match.prefix(count)), .balls: page])
            #expect(throws: AdapterError.self) { try adapter.snapshot(replies, ProviderSession()) }
        }
        for count in 0..<page.count {
            let replies = ProviderReplies([.match: match, .balls: Array(page.prefix(count))])
            #expect(throws: AdapterError.self) { try adapter.snapshot(replies, ProviderSession()) }
        }
    }

    @Test func signingIn() throws {
        let credentials = ProviderCredentials(project: "p1", key: Secret("k\"ey"))
        let request = try #require(adapter.opening(credentials).first)
        #expect(request.method == .post)
        #expect(request.path == "/core/p1/auth/")
        #expect(String(decoding: request.body, as: UTF8.self) == #"{"api_key":"k\"ey"}"#)
        let token = ProviderReplies([.token: Array(#"{"data":{"token":"t0ken","expires":1000.5}}"#.utf8)])
        let session = try adapter.session(token, credentials, at: Instant(milliseconds: 0))
        #expect(session.token == Secret("t0ken"))
        #expect(session.expiresAt == Instant(milliseconds: 700_500))
        let list = try #require(adapter.listRequests(session, at: Instant(milliseconds: 0), replies: token).first)
        #expect(list.path == "/cricket/p1/featured-matches-2/")
        #expect(list.headers == [ProviderRequest.Field("rs-token", "t0ken", isSecret: true)])
        #expect(!"\(session) \(list) \(list.headers)".contains("t0ken"))
        let refused = ProviderReplies([.token: Array(#"{"data":null,"error":{"code":"A-403-1"}}"#.utf8)])
        let error = #expect(throws: AdapterError.self) {
            try adapter.session(refused, credentials, at: Instant(milliseconds: 0))
        }
        #expect(error == .refused(path: "token:error", reason: "A-403-1"))
    }

    @Test(arguments: ["-9223372036854775.808", "-9e15", "-1"]) func aTokenMayExpireAtAnyTime(expires: String) throws {
        let token = ProviderReplies([.token: Array(#"{"data":{"token":"t0ken","expires":\#(expires)}}"#.utf8)])
        let session = try adapter.session(token, ProviderCredentials(project: "p1"), at: Instant(milliseconds: 0))
        #expect(session.expiresAt == Instant(milliseconds: -300_000))
    }
}
