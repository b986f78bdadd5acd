// A live match as the provider sent it, cut to some of its balls.

import Foundation
import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite(.needsRecordedMatches) struct RoanuzRecordedTests {
    private static let path = "feeds/roanuz/v5_match_live_trimmed_icc_wc_2023_g26.json"

    private static func match() throws -> RoanuzMatch {
        try ReplyJSON.read(RoanuzReply<RoanuzMatch>.self, from: RecordedData.bytes(path)).content()
    }

    @Test func everyBallIsRead() throws {
        let match = try Self.match()
        let order = try RoanuzInningsReader.order(of: match)
        #expect(order == ["a_1", "b_1"])
        let balls = try #require(match.play?.relatedBalls)
        let rows = RoanuzPageReader(people: RoanuzPeople(match), order: order)
        let reader = RoanuzDeliveryReader(order: order, totals: match.play?.innings ?? [:])
        let ordered = try RoanuzDeliveryReader.ordered(balls.values.compactMap { try rows.row(of: $0, at: "balls") })
        let read = reader.deliveries(of: ordered)
        #expect(read.map(\.key.text) == ["526528", "538432", "545857"])
        #expect(read.map(\.over) == [4, 27, 42])
        #expect(read.map(\.innings) == [1, 1, 1])
        #expect(read.map { $0.dismissals.map(\.kind) } == [[.caught], [.caught], [.caught]])
        #expect(read.map { $0.dismissals[0].out } == read.map(\.striker))
        #expect(read.map { $0.dismissals[0].fielders.count } == [1, 1, 1])
        #expect(read.allSatisfy { $0.runs == DeliveryRuns() && $0.isLegal && !$0.nonStriker.id.isEmpty })
        #expect(read.map(\.occurredAt) == [1_698_396_721, 1_698_403_053, 1_698_407_391])
        // The second was edited two minutes after it was entered.
        #expect(balls["538432"]?.entryTime != balls["538432"]?.updatedTime)
    }

    @Test func everyBallKeyEncodesItsPlace() throws {
        let data = try #require(RecordedData.object(Self.path)["data"] as? [String: Any])
        let play = try #require(data["play"] as? [String: Any])
        let live = try #require(play["live"] as? [String: Any])
        let overs = try #require(live["recent_overs"] as? [[String: Any]])
        var keys: [Int64] = []
        for over in overs {
            let number = try #require(over["overnumber"] as? Int)
            for text in try #require(over["ball_keys"] as? [String]) {
                let key = try #require(RoanuzBallKey(text))
                #expect(key.innings == 2)
                #expect(key.place / 8 == number)
                #expect((1...6).contains(key.place % 8))
                keys.append(key.number)
            }
        }
        #expect(keys.count == 21)
        #expect(keys == keys.sorted())
        #expect(live["last_ball_key"] as? String == keys.last.map { String($0) })
    }

    @Test func totalsTargetAndCreaseAreRead() throws {
        let match = try Self.match()
        let first = try #require(match.play?.innings?["a_1"])
        #expect(first.score?.runs == 270)
        #expect(first.wickets == 10)
        #expect(first.overs == [46, 4])
        let extras = try #require(first.extraRuns)
        #expect([extras.bye, extras.legBye, extras.penalty] == [4, 0, 0])
        let frames = try RoanuzInningsReader(
            match: match,
            format: .odi,
            ballsPerOver: 6,
            people: RoanuzPeople(match),
            chase: nil,
            newestPage: .current
        ).frames(["a_1", "b_1"], deliveries: [], isBreak: false)
        #expect(frames.map(\.batting) == [.first, .second])
        #expect(frames.map(\.isClosed) == [true, false])
        #expect(frames[1].target == Target(runs: 271, balls: 300))
        #expect(frames[1].crease?.striker?.id == "k_maharaj")
        #expect(frames[1].crease?.nonStriker?.id == "t_shamsi")
        #expect(match.play?.dayNumber == 1)
    }
}
