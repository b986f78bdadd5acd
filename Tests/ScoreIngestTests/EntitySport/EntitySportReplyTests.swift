// Card, balls and squads are replies of different ages: what is requested again, and what is not yet believed.

import MatchEngine
import ScoreTypes
import Testing

@testable import Providers

@Suite struct EntitySportReplyTests {
    private static let adapter = EntitySportAdapter()
    private static let id = ProviderMatchID(unchecked: "7")

    private static func reply(_ content: String, at time: String? = "13:01:52") -> [UInt8] {
        let modified = time.map { #","modified":"2026-10-09 \#($0)""# } ?? ""
        return Array(#"{"status":"ok","response":{\#(content)}\#(modified)}"#.utf8)
    }

    private static func innings(_ number: Int, _ score: String, _ more: String = "") -> String {
        let team = number % 2 == 1 ? 1 : 2
        return #""number":\#(number),"batting_team_id":\#(team),"scores_full":"\#(score)"\#(more)"#
    }

    private static func match(_ innings: [String], status: Int = 3, more: String = "") -> String {
        #"""
        "match_id":7,"format_str":"T20","status":\#(status),"game_state":3,"teama":{"team_id":1,"name":"Reds"},
        "teamb":{"team_id":2,"name":"Blues"},"innings":[\#(innings.map { "{\($0)}" }.joined(separator: ","))]\#(more)
        """#
    }

    private static func commentary(_ innings: String, at time: String? = "13:01:52") -> [UInt8] {
        reply(#""inning":{\#(innings)},"commentaries":[]"#, at: time)
    }

    /// A card of the innings, and their balls.
    private static func replies(card: [String], balls: [String]) -> ProviderReplies {
        var replies = ProviderReplies([EntitySportAdapter.card: reply(match(card))])
        for (index, innings) in balls.enumerated() {
            replies[EntitySportAdapter.balls(index + 1)] = commentary(innings)
        }
        return replies
    }

    private static func requested(_ replies: ProviderReplies) -> [ReplyPart] {
        adapter.matchRequests(id, ProviderSession(), replies: replies).map(\.part)
    }

    // MARK: Requests

    @Test("the balls of the newest innings are requested with every poll, older ones when the card was corrected")
    func olderBalls() {
        let (first, second) = (Self.innings(1, "100/3 (20 ov)"), Self.innings(2, "9/0 (1 ov)"))
        let same = Self.replies(card: [first, second], balls: [first, second])
        #expect(Self.requested(same) == ["card", "balls.2", "squads"])
        let corrected = Self.replies(card: [Self.innings(1, "101/3 (20 ov)"), second], balls: [first, second])
        #expect(Self.requested(corrected) == ["card", "balls.1", "balls.2", "squads"])
        let missing = Self.replies(card: [first, second], balls: [])
        #expect(Self.requested(missing) == ["card", "balls.1", "balls.2", "squads"])
    }

    @Test("the card replaces the information once play has begun, and an old copy of the card requests both")
    func cardAndInformation() {
        #expect(Self.requested(ProviderReplies()) == [.match, "squads"])
        let ahead = ProviderReplies([.match: Self.reply(Self.match([], status: 1))])
        #expect(Self.requested(ahead) == [.match, "squads"])
        let begun = ProviderReplies([.match: Self.reply(Self.match([]))])
        #expect(Self.requested(begun) == [.match, "card", "squads"])
        let old = ProviderReplies([EntitySportAdapter.card: Self.reply(Self.match([], status: 1))])
        #expect(Self.requested(old) == [.match, "card", "squads"])
    }

    @Test("squads of other teams under the same id are requested again")
    func squadsOfOtherTeams() {
        let innings = Self.innings(1, "9/0 (1 ov)")
        var replies = Self.replies(card: [innings], balls: [innings])
        let squads = #""teama":{"team_id":1},"teamb":{"team_id":2}"#
        replies[EntitySportAdapter.squads] = Self.reply(squads)
        #expect(Self.requested(replies) == ["card", "balls.1"])
        replies[EntitySportAdapter.squads] = Self.reply(squads.replacing(":2", with: ":3"))
        #expect(Self.requested(replies) == ["card", "balls.1", "squads"])
    }

    // MARK: Readings

    @Test("balls that are no newer than a card with another score are incomplete")
    func incompleteBalls() throws {
        func isIncomplete(balls time: String, score: String = "9/0 (1 ov)") throws -> Bool {
            let replies = ProviderReplies([
                EntitySportAdapter.card: Self.reply(Self.match([Self.innings(1, "10/0 (1.1 ov)")])),
                EntitySportAdapter.balls(1): Self.commentary(Self.innings(1, score), at: time),
            ])
            return try Self.adapter.snapshot(replies, ProviderSession()).isIncomplete
        }
        #expect(try isIncomplete(balls: "13:01:51"))
        #expect(try isIncomplete(balls: "13:01:52"))
        #expect(try !isIncomplete(balls: "13:01:53"))
        #expect(try !isIncomplete(balls: "13:01:51", score: "10/0 (1.1 ov)"))
    }

    @Test("an old copy of the balls lowers the version, and without a time there is none")
    func version() throws {
        func version(balls time: String?) throws -> Int64? {
            let innings = Self.innings(1, "9/0 (1 ov)")
            let replies = ProviderReplies([
                EntitySportAdapter.card: Self.reply(Self.match([innings])),
                EntitySportAdapter.balls(1): Self.commentary(innings, at: time),
            ])
            return try Self.adapter.snapshot(replies, ProviderSession()).version
        }
        let newest = try #require(try version(balls: "13:01:52"))
        #expect(try version(balls: "13:01:50") == newest - 2)
        #expect(try version(balls: nil) == nil)
    }

    @Test("a match in play, or abandoned after it began, is not read without its card or the balls of an innings")
    func missingParts() throws {
        let innings = Self.innings(1, "9/0 (1 ov)")
        #expect(throws: AdapterError.missing(path: "reply card")) {
            try Self.adapter.snapshot(ProviderReplies([.match: Self.reply(Self.match([]))]), ProviderSession())
        }
        let begun = Self.match([], status: 4, more: #","latest_inning_number":"1""#)
        #expect(throws: AdapterError.missing(path: "reply card")) {
            try Self.adapter.snapshot(ProviderReplies([.match: Self.reply(begun)]), ProviderSession())
        }
        let abandoned = ProviderReplies([.match: Self.reply(Self.match([], status: 4))])
        #expect(try Self.adapter.snapshot(abandoned, ProviderSession()).status.status == .abandonedNoBall)
        #expect(throws: AdapterError.missing(path: "reply balls.2")) {
            let replies = Self.replies(card: [innings, Self.innings(2, "0/0 (0 ov)")], balls: [innings])
            return try Self.adapter.snapshot(replies, ProviderSession())
        }
    }

    @Test("super overs come in pairs, and have no target of their own")
    func superOvers() throws {
        let cards = (1...6).map { Self.innings($0, "9/0 (1 ov)", #","target":"9""#) }
        let innings = try Self.adapter.snapshot(Self.replies(card: cards, balls: cards), ProviderSession()).innings
        #expect(innings.map(\.superOver) == [nil, nil, 1, 1, 2, 2])
        #expect(innings.map { $0.target?.runs } == [9, 9, nil, nil, nil, nil])
    }

    @Test(
        "the days are those from the first to the last, of which ten count",
        arguments: [
            (#""2026-10-11 16:00:00""#, 3), ("null", 1), (#""2026-10-01""#, 1), (#""2027-10-09 10:00:00""#, 10),
        ]
    )
    func days(end: String, count: Int) throws {
        let more = #","date_start":"2026-10-09 10:00:00","date_end":\#(end)"#
        let replies = ProviderReplies([.match: Self.reply(Self.match([], status: 1, more: more))])
        let days = try Self.adapter.snapshot(replies, ProviderSession()).info.days
        #expect(days.count == count && days.first == "2026-10-09")
    }

    // MARK: Session

    @Test(
        "a token without a usable end is valid for an hour",
        arguments: [
            ("", 4_600), (#","expires":"""#, 4_600), (#","expires":"999""#, 4_600), (#","expires":2000"#, 2_000),
            (#","expires":-9000000000000000000"#, 4_600),
            (#","expires":9000000000000000000"#, Int64.max / 1_000),
        ]
    )
    func tokens(expires: String, end: Int64) throws {
        let replies = ProviderReplies([EntitySportAdapter.token: Self.reply(#""token":"t"\#(expires)"#)])
        let session = try Self.adapter.session(replies, .none, at: Instant(milliseconds: 1_000_000))
        #expect(session.expiresAt == Instant(milliseconds: end * 1_000))
    }

    @Test func anEmptyTokenIsAnError() {
        let replies = ProviderReplies([EntitySportAdapter.token: Self.reply(#""token":"""#)])
        #expect(throws: AdapterError.missing(path: "token:response.token")) {
            try Self.adapter.session(replies, .none, at: Instant(milliseconds: 0))
        }
    }
}
