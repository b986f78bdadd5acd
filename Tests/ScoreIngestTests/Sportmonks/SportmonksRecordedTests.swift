// A live fixture as the provider sent it, and the scores of such replies.

import Foundation
import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite(.needsRecordedMatches) struct SportmonksRecordedTests {
    private static func body(_ path: String) throws -> [UInt8] {
        try RecordedData.bytes("feeds/" + path)
    }

    private static func snapshot(_ match: [UInt8]? = nil) throws -> MatchSnapshot {
        let table = ProviderReplies([.scores: try body("sportmonks/scores_table_observed.json")])
        let adapter = SportmonksAdapter()
        let session = try adapter.session(table, ProviderCredentials(), at: Instant(milliseconds: 0))
        let match = try match ?? body("sportmonks/fixture_71344_live_trimmed.json")
        return try adapter.snapshot(ProviderReplies([.match: match]), session)
    }

    /// The ids of the recorded rows, in the order in which they were bowled.
    private static let ids = [
        11_917_167, 11_917_169, 11_917_179, 11_917_185, 11_917_189, 11_917_190, 11_917_199, 11_917_206, 11_917_753,
        11_917_756, 11_917_805, 11_917_808, 11_917_812,
    ]

    @Test func rowsAreSortedIntoTheOrderOfPlay() throws {
        let body = try Self.body("sportmonks/fixture_71344_live_trimmed.json")
        var reply = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
        var fixture = try #require(reply["data"] as? [String: Any])
        let rows = try #require(fixture["balls"] as? [Any])
        fixture["balls"] = Array(rows.reversed())
        reply["data"] = fixture
        let snapshot = try Self.snapshot(Array(JSONSerialization.data(withJSONObject: reply)))
        #expect(snapshot.deliveries.map(\.key.text) == Self.ids.map(String.init))
    }

    @Test func everyObservedScoreIsRead() throws {
        let body = try Self.body("sportmonks/scores_table_observed.json")
        let scores = try ReplyJSON.read(SportmonksReply<[SportmonksScore]>.self, from: body).content()
        #expect(scores.count == 12)
        let table = try ReplyJSON.read(SportmonksScoreTable.self, from: body)
        for score in scores { _ = try table.meaning(of: score.id, at: "") }
        // The built-in table equals the observed one.
        for score in scores {
            #expect(try SportmonksScoreTable().meaning(of: score.id, at: "") == SportmonksMeaning(score))
        }
    }

    @Test func everyBallIsRead() throws {
        let snapshot = try Self.snapshot()
        let balls = snapshot.deliveries
        #expect(balls.count == 13)
        #expect(balls.map(\.innings) == Array(repeating: 1, count: 10) + [2, 2, 2])
        #expect(balls.map(\.over) == [0, 0, 0, 0, 0, 0, 0, 1, 19, 19, 0, 0, 0])
        let wides = [DeliveryRuns(wides: 5), DeliveryRuns(wides: 1), DeliveryRuns(bat: 1)]
        #expect(Array(balls.prefix(3).map(\.runs)) == wides)
        #expect(balls.map(\.isLegal) == [false, false] + Array(repeating: true, count: 11))
        #expect(balls[11].runs == DeliveryRuns(legByes: 1))
        #expect(balls[12].runs == DeliveryRuns(bat: 4))
        #expect(!balls[12].isAllRun)
        #expect(balls.allSatisfy { !$0.striker.id.isEmpty && !$0.nonStriker.id.isEmpty && $0.striker != $0.nonStriker })
        #expect(balls.map(\.key.text) == Self.ids.map(String.init))
        #expect(balls.allSatisfy { $0.occurredAt != nil })
        let out = try #require(balls[5].dismissals.first)
        #expect(out.kind == .caught)
        #expect(out.out == balls[5].striker)
        #expect(out.fielders.count == 1)
    }

    @Test func theFrameIsRead() throws {
        let snapshot = try Self.snapshot()
        #expect(snapshot.info.format == .t20i)
        #expect(snapshot.info.teams.map(\.name) == ["Pakistan", "Sri Lanka"])
        #expect(snapshot.info.teams.map(\.abbreviation) == ["PAK", "SL"])
        #expect(snapshot.info.toss == Toss(winner: .second, decision: .bat))
        #expect(snapshot.info.startsAt == 1_791_550_800)
        #expect(snapshot.innings.map(\.batting) == [.second, .first])
        #expect(snapshot.innings.map(\.isClosed) == [true, false])
        #expect(snapshot.innings[0].powerplays.first?.last == BallLabel(over: 5, ball: 6))
        #expect(snapshot.status == StatusReport(status: .live, note: "Target 183 runs"))
        #expect(snapshot.result == nil)
        #expect(snapshot.version == 1_791_558_696_000)
        #expect(snapshot.info.teams[0].players.contains { $0.name == "Sahibzada Farhan" })
    }

    @Test func everyRowOfTotalsAndCardsIsRead() throws {
        let body = try Self.body("sportmonks/fixture_71344_live_trimmed.json")
        let fixture = try ReplyJSON.read(SportmonksReply<SportmonksFixture>.self, from: body).content()
        let runs = try #require(fixture.runs?.rows)
        #expect(runs.map(\.score) == [182, 10])
        let batting = try #require(fixture.batting?.rows)
        #expect(batting.count == 5)
        #expect(batting.compactMap(\.wicketId).allSatisfy { [54, 79, 84].contains($0) })
        #expect(fixture.bowling?.rows.count == 4)
    }
}
