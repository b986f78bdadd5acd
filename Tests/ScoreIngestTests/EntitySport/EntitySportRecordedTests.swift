// The provider's own samples, compared with each other and with the totals of other sources.

import Foundation
import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// No recorded reply of this provider is of a match with recorded balls elsewhere: the totals are compared.
@Suite(.needsRecordedMatches) struct EntitySportRecordedTests {
    private static func body(_ name: String) throws -> [UInt8] {
        try RecordedData.bytes("feeds/entitysport/\(name).json")
    }

    @Test func aTokenIsRead() throws {
        let replies = ProviderReplies([EntitySportAdapter.token: try Self.body("obtaining_token")])
        let now = Instant(milliseconds: 1_790_000_000_000)
        let session = try EntitySportAdapter().session(replies, ProviderCredentials(), at: now)
        #expect(session.token?.text == "1|X#aFhlzAsd")
        #expect(session.expiresAt == Instant(milliseconds: 12_312_312_312_000))
    }

    @Test func aListIsRead() throws {
        var replies = ProviderReplies()
        for (part, _) in EntitySportAdapter.lists { replies[part] = try Self.body("matches_list_api") }
        let fixtures = try EntitySportAdapter().fixtures(replies, ProviderSession()).fixtures
        let fixture = try #require(fixtures.first)
        #expect(fixtures.count == 1 && fixture.id.text == "19884")
        #expect(fixture.teams.map(\.name) == ["Barbados Tridents", "St Lucia Stars"])
        #expect(fixture.startsAt == 1_504_224_000 && fixture.format == .t20 && fixture.status?.isFinal == true)
    }

    @Test func aMatchIsRead() throws {
        let match = try EntitySportEnvelope<EntitySportMatch>.read(Self.body("match_info_api"), .match).response
        let info = try EntitySportFrameReader(match, squads: nil, people: EntitySportPeople()).info()
        #expect(info.teams.map(\.name) == ["Barbados Tridents", "St Kitts and Nevis Patriots"])
        #expect(info.toss == Toss(winner: .second, decision: .field))
        #expect(info.format == .t20 && info.venue == "Kensington Oval, Bridgetown")
        #expect(match.hasCard)
        // The reply has no number of a winner, and its sentence only the end of a name.
        let result = try EntitySportFrameReader(match, squads: nil, people: EntitySportPeople()).result()
        #expect(result?.kind == .wickets(10) && result?.winner == .second)
        let squads = try EntitySportEnvelope<EntitySportSquads>.read(Self.body("match_squads_api"), .match).response
        #expect((squads.teama.squads ?? []).count == 16 && (squads.teamb.squads ?? []).count == 16)
    }

    /// Days ahead no player is marked as playing: the squad is used until the first of the eleven is known.
    @Test func theSquadIsUsedUntilTheElevenIsKnown() throws {
        func players(_ squads: [UInt8]) throws -> [Int] {
            let match = try EntitySportEnvelope<EntitySportMatch>.read(Self.body("match_info_api"), .match).response
            let named = try EntitySportEnvelope<EntitySportSquads>.read(squads, .match).response
            var people = EntitySportPeople()
            people.add(named.players)
            return try EntitySportFrameReader(match, squads: named, people: people).info().teams.map(\.players.count)
        }
        // The recorded squads are of another match: they get the teams of this one.
        let text = try String(decoding: Self.body("match_squads_api"), as: UTF8.self)
            .replacing(#""team_id": 23,"#, with: #""team_id": 18243,"#)
            .replacing(#""team_id": 21,"#, with: #""team_id": 18256,"#)
        #expect(try players(Array(text.utf8)) == [11, 11])
        let unnamed = text.components(separatedBy: #""playing11": "true""#).joined(separator: #""playing11": "false""#)
        let squads = try players(Array(unnamed.utf8))
        #expect(squads == [16, 16])
    }

    /// The first overs of an innings against the provider's own sums at the end of each over.
    @Test func ballsAddUpToTheirOverEnds() throws {
        let part = EntitySportAdapter.balls(1)
        let reply = try EntitySportEnvelope<EntitySportCommentary>
            .read(Self.body("match_innings_commentary_api"), part).response
        var people = EntitySportPeople()
        people.add(reply.players)
        let balls = try EntitySportDeliveryReader.deliveries(of: reply, innings: 1, people)
        #expect(balls.count == 12 && balls.allSatisfy(\.isLegal))
        #expect(balls.map(\.over) == Array(repeating: 0, count: 6) + Array(repeating: 1, count: 6))
        #expect(balls.reduce(0) { $0 + $1.runs.total } == 6)
        #expect(balls.flatMap(\.dismissals).count == 1)
        #expect(balls.map(\.key.text) == (0..<12).map { "1.\($0 / 6).\($0 % 6 + 1).1" })
        #expect(Set(balls.map(\.order)).count == 12)
        let strikers = [("115", 3), ("117", 6), ("119", 3)].flatMap { Array(repeating: $0.0, count: $0.1) }
        #expect(balls.map(\.striker.id) == strikers)
        #expect(balls.map(\.runs.total) == [0, 0, 1, 4, 0, 1, 0, 0, 0, 0, 0, 0])
        #expect(balls.allSatisfy { !$0.striker.id.isEmpty && !$0.bowler.id.isEmpty })
    }

    /// A Test on its fourth evening: the completed innings are in another publisher's totals.
    @Test func aCardEqualsAnotherSourceOfIt() throws {
        let match = try EntitySportEnvelope<EntitySportMatch>.read(Self.body("match_scorecard_api"), .match).response
        let innings = try #require(match.innings)
        #expect(innings.count == 3 && innings.map { $0.batsmen?.count } == [11, 11, 6])
        let rows = try RecordedData.rows("cricsheet/innings_totals.csv")
            .filter { $0.hasPrefix("Test,1157383,") }.map { $0.split(separator: ",", omittingEmptySubsequences: false) }
        for (card, row) in zip(innings, rows).prefix(2) {
            let balls = try #require(Int(row[7]))
            let overs = balls % 6 == 0 ? "\(balls / 6)" : "\(balls / 6).\(balls % 6)"
            #expect(card.scoresFull == "\(row[5])/\(row[6]) (\(overs) ov)")
            #expect(card.isComplete)
        }
        #expect(rows.count == 4 && !innings[2].isComplete)
        let frame = try EntitySportFrameReader(match, squads: nil, people: EntitySportPeople())
        #expect(try frame.info().format == .test)
        let status = try EntitySportStatus.status(of: match, isSuperOver: false, hasBalls: true)
        #expect(status == .stumps)
    }
}
