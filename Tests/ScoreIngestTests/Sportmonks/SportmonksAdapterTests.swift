// Fixtures as a whole: order, events between balls, frames, status, result, requests.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = SportmonksSample

@Suite struct SportmonksAdapterTests {
    private static let scores = [
        Sample.score(17, "1 Wide", #""runs":1,"ball":false"#), Sample.score(63, "Run Out", #""is_wicket":true"#),
        Sample.score(55, "Catch Out (Sub)", #""is_wicket":true"#),
        Sample.score(200, "Retired Hurt", #""ball":false"#),
        Sample.score(201, "5 Penalty Runs", #""runs":5,"ball":false"#), Sample.score(202, "Absent Hurt"),
    ]

    @Test func rowsAreOrderedByInningsOverAndID() throws {
        let rows = [
            Sample.ball(12, label: 0.2), Sample.ball(10, label: 0.2, score: 17), Sample.ball(30, label: 1.1),
            Sample.ball(11, label: 0.2, score: 52), Sample.ball(9, label: 0.1), Sample.ball(5, scoreboard: "S2"),
        ]
        let keys = try Sample.snapshot(Sample.fixture(balls: rows)).deliveries.map(\.key.text)
        #expect(keys == ["9", "10", "11", "12", "30", "5"])
        #expect(try Sample.snapshot(Sample.fixture(balls: rows.reversed())).deliveries.map(\.key.text) == keys)
    }

    @Test func aMissingRowIsAWithdrawnBall() throws {
        let rows = [Sample.ball(1), Sample.ball(2, label: 0.2, score: 47), Sample.ball(3, label: 0.3, score: 17)]
        let before = try Sample.snapshot(Sample.fixture(balls: rows))
        let after = try Sample.snapshot(Sample.fixture(balls: [rows[0], rows[2]]))
        var record = MatchRecord()
        for change in Differ.changes(from: record, to: before) { record.apply(change) }
        #expect(Differ.changes(from: record, to: after) == [.withdrawn(DeliveryKey("2"))])
    }

    @Test func aDeletedRowDoesNotMakeTheReplyOlder() throws {
        let total = { (runs: Int, second: Int) in
            """
            {"team_id":1,"inning":1,"score":\(runs),"wickets":0,"overs":0.2,
            "updated_at":"2026-10-09T13:02:\(second).000000Z"}
            """
        }
        var newest = Sample.ball(3, label: 0.3, score: 47)
        newest = newest.replacing("13:01:52", with: "13:02:15")
        let rows = [Sample.ball(1), Sample.ball(2, label: 0.2), newest]
        let before = try Sample.snapshot(Sample.fixture(balls: rows, runs: total(0, 10)))
        let after = try Sample.snapshot(Sample.fixture(balls: Array(rows.prefix(2)), runs: total(0, 12)))
        let older = try Sample.snapshot(Sample.fixture(balls: rows, runs: total(0, 11)))
        var record = MatchRecord()
        var gate = Gate()
        #expect(gate.judge(Differ.changes(from: record, to: before), of: before, against: record, at: .zero) == .apply)
        for change in Differ.changes(from: record, to: before) { record.apply(change) }
        // Only the newest ball is missing: held once, as an old copy would be, and not dropped.
        let changes = Differ.changes(from: record, to: after)
        #expect(gate.judge(changes, of: after, against: record, at: .zero) == .hold(.scoreFell))
        #expect(gate.judge(changes, of: after, against: record, at: JournalLimits.copyLife) == .apply)
        for change in changes { record.apply(change) }
        let again = Differ.changes(from: record, to: older)
        #expect(gate.judge(again, of: older, against: record, at: JournalLimits.copyLife) == .drop(.olderVersion))
    }

    @Test func battersAreAtTheirEnds() throws {
        let ball = try Sample.snapshot(Sample.fixture(balls: [Sample.ball(1, batter: 12)])).deliveries[0]
        #expect(ball.striker == Player(id: "12", name: "Bea Two"))
        #expect(ball.nonStriker == Player(id: "11", name: "Ann One"))
        #expect(ball.bowler == Player(id: "21", name: "Xan Ex"))
        #expect(ball.occurredAt == 1_791_550_912)
    }

    @Test func eventsWithoutABallBelongToTheBallBefore() throws {
        let out = #","batsmanout_id":12"#
        let rows = [
            Sample.ball(1, score: 200, more: out), Sample.ball(2), Sample.ball(3, score: 201),
            Sample.ball(4, score: 200, more: #","batsmanout_id":11"#),
        ]
        let balls = try Sample.snapshot(Sample.fixture(balls: rows), scores: Self.scores).deliveries
        #expect(balls.count == 1)
        #expect(balls[0].runs == DeliveryRuns(penalty: 5))
        #expect(balls[0].dismissals.map(\.out.id) == ["12", "11"])
    }

    @Test func fieldersAndSubstitutes() throws {
        let rows = [
            Sample.ball(1, score: 54, more: #","batsmanout_id":11,"catchstump_id":21"#),
            Sample.ball(2, score: 55, more: #","batsmanout_id":11,"catchstump_id":29"#),
            Sample.ball(3, score: 55, more: #","batsmanout_id":11"#),
            Sample.ball(4, score: 63, more: #","batsmanout_id":12,"runout_by_id":29,"catchstump_id":21"#),
        ]
        let out = try Sample.snapshot(Sample.fixture(balls: rows), scores: Self.scores).deliveries.map {
            $0.dismissals[0]
        }
        #expect(out[0].kind == .caughtAndBowled)
        #expect(out[1].fielders == [Fielder(name: "Yve Sub", isSubstitute: true)])
        #expect(out[2].fielders == [Fielder(name: nil, isSubstitute: true)])
        #expect(out[3].fielders == [Fielder(name: "Yve Sub"), Fielder(name: "Xan Ex")])
        #expect(out[3].out.id == "12")
    }

    @Test func aRunOutRequiresThePlayer() throws {
        let body = Sample.fixture(balls: [Sample.ball(1, score: 63)])
        let error = #expect(throws: AdapterError.self) { try Sample.snapshot(body, scores: Self.scores) }
        #expect(error == .missing(path: "data.balls[0].batsmanout_id"))
    }

    @Test func framesContainSidesTargetsAndSuperOvers() throws {
        let runs =
            #"{"team_id":1,"inning":1},{"team_id":2,"inning":2},{"team_id":2,"inning":5},{"team_id":1,"inning":6}"#
        let more = #","rpc_target":"83","rpc_overs":12.3,"localteam_dl_data":{"score":83},"super_over":true"#
        let snapshot = try Sample.snapshot(Sample.fixture(status: "2nd Innings", runs: runs, more: more))
        #expect(snapshot.innings.map(\.ordinal) == [1, 2, 3, 4])
        #expect(snapshot.innings.map(\.batting) == [.first, .second, .second, .first])
        #expect(snapshot.innings.map(\.superOver) == [nil, nil, 1, 1])
        #expect(snapshot.innings.map(\.isClosed) == [true, true, true, false])
        #expect(snapshot.innings[1].target == Target(runs: 83, balls: 75, method: "DLS"))
        #expect(snapshot.status.status == .superOver)
        #expect(snapshot.info.teams.map(\.abbreviation) == ["RED", nil])
    }

    @Test func penaltiesOutsideBallsArePlacedByTheFirstWicket() throws {
        let out = Sample.ball(1, score: 54, more: #","batsmanout_id":11"#)
        let runs = #"{"team_id":1,"inning":1},{"team_id":2,"inning":2}"#
        let extra = #","scoreboards":[{"team_id":1,"type":"extra","scoreboard":"S1","penalty":10}]"#
        func frame(fall: Int) throws -> InningsInfo {
            let card =
                #","batting":[{"team_id":1,"scoreboard":"S1","player_id":11,"wicket_id":54,"fow_score":\#(fall)}]"#
            return try Sample.snapshot(Sample.fixture(balls: [out], runs: runs, more: extra + card)).innings[0]
        }
        #expect(try [frame(fall: 0).penaltyBefore, frame(fall: 0).penaltyAfter] == [0, 10])
        #expect(try [frame(fall: 5).penaltyBefore, frame(fall: 5).penaltyAfter] == [5, 5])
        #expect(try [frame(fall: 10).penaltyBefore, frame(fall: 99).penaltyBefore] == [10, 10])
        let live = try Sample.snapshot(Sample.fixture(balls: [out], more: extra)).innings[0]
        #expect(live.penaltyBefore == 10)
        // The innings that ends the match stays open, and may get penalty runs after it as well.
        let card = #","batting":[{"team_id":1,"scoreboard":"S1","player_id":11,"wicket_id":54,"fow_score":0}]"#
        let last = try Sample.snapshot(Sample.fixture(status: "Finished", balls: [out], more: extra + card)).innings[0]
        #expect([last.penaltyBefore, last.penaltyAfter] == [0, 10])
    }

    @Test func declarationsForfeitsAndAbsenceAreInferred() throws {
        let runs = (1...3).map { #"{"team_id":\#($0 == 2 ? 2 : 1),"inning":\#($0)}"# }.joined(separator: ",")
        let card = #","batting":[{"team_id":1,"scoreboard":"S1","player_id":12,"wicket_id":202}]"#
        let body = Sample.fixture(
            type: "4day",
            status: "3rd Innings",
            balls: [Sample.ball(1)],
            runs: runs,
            more: card
        )
        let frames = try Sample.snapshot(body, scores: Self.scores).innings
        #expect(frames.map(\.isDeclared) == [true, false, false])
        #expect(frames.map(\.isForfeited) == [false, true, false])
        #expect(frames[0].absent.map(\.name) == ["Bea Two"])
    }

    /// C.13: a forfeited innings counts 0/0, so one with a total was played, whether its balls are listed or not.
    @Test func anInningsWithATotalAndNoBallsIsShownByItsTotal() throws {
        func read(_ first: String, status: String = "2nd Innings", more: String = "") throws -> MatchSnapshot {
            let runs = #"{"team_id":1,"inning":1,\#(first)},{"team_id":2,"inning":2}"#
            return try Sample.snapshot(Sample.fixture(type: "4day", status: status, runs: runs, more: more))
        }
        let played = #""score":245,"wickets":10,"overs":80.1"#
        let snapshot = try read(played)
        #expect(snapshot.innings.map(\.isForfeited) == [false, false])
        #expect(snapshot.innings.map(\.reported) == [ReportedTotal(runs: 245, wickets: 10, balls: 481), nil])
        let card = snapshot.replica.state.innings[0]
        #expect(card.score == "245" && card.end == .allOut)
        #expect(!snapshot.replica.state.moments.contains { $0.title == "Forfeited" })
        // A match with a total was not abandoned without a ball.
        #expect(try read(played, status: "Aban.").status.status == .abandoned)
        // Penalty runs may be awarded before the first ball.
        let awarded = #","scoreboards":[{"team_id":1,"type":"extra","scoreboard":"S1","penalty":5}]"#
        let forfeits = try [
            read(#""score":0,"wickets":0,"overs":0"#), read(#""score":null"#),
            read(#""score":5,"wickets":0,"overs":0"#, more: awarded),
        ]
        #expect(forfeits.allSatisfy { $0.innings[0].isForfeited && $0.innings[0].reported == nil })
        let error = #expect(throws: AdapterError.self) { try read(#""score":245,"wickets":11"#) }
        #expect(error?.path == "data.runs[0].wickets")
    }

    @Test(arguments: [
        ("NS", MatchStatus.scheduled), ("1st Innings", .live), ("Innings Break", .inningsBreak), ("Lunch", .lunch),
        ("Tea Break", .tea), ("Dinner", .dinner), ("Stump Day 3", .stumps), ("Delayed", .suspended),
        ("Int.", .suspended), ("Aban.", .abandoned), ("Cancl.", .cancelled), ("Postp.", .postponed),
        ("Finished", .resultPending), ("5th Innings", .superOver),
    ])
    func statusWords(word: String, status: MatchStatus) throws {
        let body = Sample.fixture(status: word, balls: [Sample.ball(1)])
        #expect(try Sample.snapshot(body).status.status == status)
    }

    @Test func someStatusesAreMoreSpecificBeforeTheFirstBall() throws {
        #expect(try Sample.snapshot(Sample.fixture(status: "Delayed")).status.status == .startDelayed)
        #expect(try Sample.snapshot(Sample.fixture(status: "Aban.")).status.status == .abandonedNoBall)
        #expect(try Sample.snapshot(Sample.fixture(status: "Stump Day 4")).status.day == 4)
    }

    @Test func anUnknownStatusIsShownAndSkipped() throws {
        let report = try Sample.snapshot(Sample.fixture(status: "Elephant on pitch", balls: [Sample.ball(1)])).status
        #expect(report == StatusReport(status: .live, note: "Elephant on pitch", isUnknown: true))
    }

    @Test(arguments: [
        (
            #""winner_team_id":2,"note":"Blues won by 5 wickets (with 2 balls remaining)""#,
            ProviderResult.Kind.wickets(5)
        ),
        (#""winner_team_id":2,"note":"Blues won by 21 runs (D/L method)""#, .runs(21)),
        (#""winner_team_id":2,"note":"""#, .won),
        (#""draw_noresult":"draw""#, .draw), (#""draw_noresult":"No Result""#, .noResult),
        (#""note":"Match tied""#, .tie), (#""winner_team_id":1,"super_over":true"#, .tie),
        (#""winner_team_id":1,"note":"Match awarded to Reds""#, .awarded),
    ])
    func results(fields: String, kind: ProviderResult.Kind) throws {
        let result = try Sample.snapshot(Sample.fixture(status: "Finished", more: "," + fields)).result
        #expect(result?.kind == kind)
    }

    @Test func requestsContainTheTokenAndDoNotPrintIt() throws {
        let adapter = SportmonksAdapter()
        let credentials = ProviderCredentials(key: Secret("s3cret/&"))
        let opening = adapter.opening(credentials)
        #expect(opening.map(\.target) == ["/scores?api_token=s3cret%2F%26"])
        let id = ProviderMatchID(unchecked: "71344")
        let session = ProviderSession(token: Secret("s3cret/&"))
        let match = adapter.matchRequests(id, session, replies: ProviderReplies())
        #expect(match.map(\.path) == ["/fixtures/71344"])
        let lists = adapter.listRequests(
            session,
            at: Instant(milliseconds: 1_791_550_912_000),
            replies: ProviderReplies()
        )
        #expect(lists.first?.part == .live)
        #expect(lists[1].target.contains("filter%5Bstarts_between%5D=2026-10-08,2026-10-10"))
        for request in opening + match + lists { #expect(!"\(request) \(request.query)".contains("s3cret")) }
        #expect(!"\(credentials) \(session)".contains("s3cret"))
    }

    /// B.2: the table is checked against `/scores`, and what differs is no guess: it alarms and refuses the ball.
    @Test func aScoreWithAChangedMeaningIsRejected() throws {
        func scores(_ id: Int, _ name: String, runs: Int) -> [UInt8] {
            Array(
                #"""
                {"data":[{"id":82,"name":"No Run","runs":0,"four":false,"six":false,"bye":0,"leg_bye":0,"noball":0,
                "noball_runs":0,"is_wicket":false,"ball":true,"out":false},{"id":\#(id),"name":"\#(name)",
                "runs":\#(runs),"four":false,"six":false,"bye":0,"leg_bye":0,"noball":0,"noball_runs":0,
                "is_wicket":false,"ball":true,"out":false}]}
                """#.utf8
            )
        }
        func open(_ table: [UInt8]) throws -> ProviderSession {
            try SportmonksAdapter().session(ProviderReplies([.scores: table]), .none, at: Instant(milliseconds: 0))
        }
        #expect(try open(scores(69, "1 Run", runs: 1)).doubts.isEmpty)
        let odd = scores(69, "2 Runs", runs: 2)
        let doubt = try #require(try open(odd).doubts.first)
        #expect(doubt.path == "scores:data" && "\(doubt)".contains("score 69"), "\(doubt)")
        let table = try ReplyJSON.read(SportmonksScoreTable.self, from: odd)
        #expect(throws: AdapterError.unknownWord(path: "p", word: "69 2 Runs")) { try table.meaning(of: 69, at: "p") }
        #expect(throws: Never.self) { try table.meaning(of: 82, at: "p") }
    }

    @Test func listsAreMergedAndTheLiveOneIsPreferred() throws {
        func list(_ status: String, _ id: Int) -> [UInt8] {
            Array(
                #"""
                {"data":[{"id":\#(id),"localteam_id":1,"visitorteam_id":2,"type":"ODI","status":"\#(status)",
                "starting_at":"2026-10-09T13:00:00.000000Z","localteam":{"id":1,"name":"Reds"},
                "visitorteam":{"id":2,"name":"Blues"},"league":{"name":"Cup"}}]}
                """#.utf8
            )
        }
        let replies = ProviderReplies([
            .live: list("2nd Innings", 7), "fixtures.a": list("NS", 7), "fixtures.b": list("NS", 8),
        ])
        let found = try SportmonksAdapter().fixtures(replies, ProviderSession()).fixtures
        #expect(found.map(\.id.text) == ["7", "8"])
        #expect(found.map(\.status) == [.live, .scheduled])
        #expect(found[0].format == .odi)
        #expect(found[0].teams.map(\.name) == ["Reds", "Blues"])
        #expect(found[0].competition == "Cup")
        #expect(throws: AdapterError.self) { try SportmonksAdapter().fixtures(ProviderReplies(), ProviderSession()) }
    }
}
