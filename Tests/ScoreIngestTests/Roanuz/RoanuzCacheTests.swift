// The age of a cached reply follows from its expiry only with the length of its life.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = RoanuzSample

@Suite struct RoanuzCacheTests {
    private let adapter = RoanuzAdapter()
    private let id = ProviderMatchID(unchecked: "m1")
    /// As of a match in play whose newest ball is 23 hours older.
    private static let kept = #"{"expires":1698479525.17,"max_age":null}"#

    private func parts(_ replies: ProviderReplies) -> [String] {
        adapter.matchRequests(id, ProviderSession(), replies: replies).map(\.part.rawValue)
    }

    @Test func aReplyWithoutAgeAndBallsHasNoVersion() throws {
        let match = Sample.match(cache: Self.kept)
        #expect(try adapter.snapshot(ProviderReplies([.match: match]), ProviderSession()).version == nil)
    }

    /// A life of 23 hours is accepted where it fits the newest ball, which was edited at 1698396722.5.
    @Test(arguments: [
        (1_698_479_525.0, Int64?(1_698_396_725_000)), (1_698_479_522.5, 1_698_396_722_500),
        // An hour, and two days.
        (1_698_400_325, nil), (1_698_569_525, nil),
    ])
    func theNewestBallGivesTheAgeOfAReply(expires: Double, version: Int64?) throws {
        let match = Sample.match(
            innings: ["a_1": Sample.innings((0, 1))],
            play: #","related_balls":{"524864":\#(Sample.plain(0, 1))}"#,
            cache: #"{"expires":\#(expires),"max_age":null}"#
        )
        let replies = ProviderReplies([.match: match, .balls: Sample.page("a_1", 0, [Sample.plain(0, 1)])])
        #expect(try adapter.snapshot(replies, ProviderSession()).version == version)
    }

    /// A pushed match must not prevent later polled ones.
    @Test func aPolledMatchReplacesAnOlderPushedOne() throws {
        let totals = ["a_1": Sample.innings((0, 2), runs: 2)]
        let page = Sample.page("a_1", 0, [Sample.plain(0, 1, bat: 1), Sample.plain(0, 2, bat: 1)])
        let first = Sample.page("a_1", 0, [Sample.plain(0, 1, bat: 1)])
        let pushed = Sample.match(innings: ["a_1": Sample.innings((0, 1), runs: 1)], cache: Self.kept)
        var gate = Gate()
        var record = MatchRecord()
        for (match, page) in [(pushed, first), (Sample.match(innings: totals), page)] {
            let replies = ProviderReplies([.match: match, .balls: page])
            let snapshot = try adapter.snapshot(replies, ProviderSession())
            let changes = Differ.changes(from: record, to: snapshot)
            #expect(gate.judge(changes, of: snapshot, against: record, at: .zero) == .apply)
            for change in changes { record.apply(change) }
        }
        #expect(record.deliveries.count == 2)
    }

    /// A match with a life of a day is not newer than a page with a life of a day less.
    @Test func aShorterLifeDoesNotMakeAPageOlder() throws {
        let match = Sample.match(innings: ["a_1": Sample.innings((0, 2))], cache: Self.kept)
        let balls = [Sample.plain(0, 1), Sample.plain(0, 2, bat: 4)]
        let replies = ProviderReplies([.match: match, .balls: Sample.page("a_1", 0, balls, expires: 1_698_396_900)])
        #expect(try !adapter.snapshot(replies, ProviderSession()).isIncomplete)
    }

    /// Without ages the balls decide: the match has one edited later, or after all, of the newest page.
    @Test(arguments: [
        (ball: (0, 2), editedAt: 1_698_396_730, isOlder: true), ((0, 3), 1_698_396_722, true),
        ((0, 2), 1_698_396_722, false), ((0, 2), 1_698_396_700, false),
    ])
    func aMatchWithNewerBallsMakesThePageOlder(
        _ at: (ball: (Int, Int), editedAt: Int, isOlder: Bool)
    ) throws {
        let key = RoanuzBallKey(innings: 1, over: at.ball.0, ball: at.ball.1, again: 0)
        let ball = Sample.ball(key, at.ball, bat: 4).replacing("1698396722.5", with: "\(at.editedAt).5")
        let match = Sample.match(
            status: "innings_break",
            innings: ["a_1": Sample.innings((0, 2), runs: 3, extras: #","is_completed":true"#)],
            play: #","related_balls":{"\#(key.number)":\#(ball)}"#,
            cache: Self.kept
        )
        // The page has a run more than the total, which an end would make final.
        let page = Sample.page("a_1", 0, [Sample.plain(0, 1), Sample.plain(0, 2, bat: 4)], expires: 1_698_479_500)
        let snapshot = try adapter.snapshot(ProviderReplies([.match: match, .balls: page]), ProviderSession())
        #expect(snapshot.innings[0].isClosed != at.isOlder)
        #expect(snapshot.isIncomplete == at.isOlder)
    }

    /// A wide is a run in the totals and no ball of theirs.
    @Test func aPageThatLostItsBallsMakesTheMatchIncomplete() throws {
        let first = (1...6).map { Sample.plain(0, $0) }
        let replies = ProviderReplies([
            .match: Sample.match(innings: ["a_1": Sample.innings((1, 0), runs: 1)], cache: Self.kept),
            .balls: Sample.page("a_1", 1, [], before: "a_1_0", expires: 1_698_479_525.17),
            .balls("a_1_0"): Sample.page("a_1", 0, first, expires: 1_698_479_525.17),
        ])
        #expect(try adapter.snapshot(replies, ProviderSession()).isIncomplete)
    }

    /// The page has a run too many and lacks a wide, so that its sums are those of the match.
    @Test(arguments: [(1_698_479_500.0, true), (1_698_479_525.17, false)])
    func aBallThatOnlyTheMatchShowsIsMissing(expires: Double, isIncomplete: Bool) throws {
        let key = RoanuzBallKey(innings: 1, over: 0, ball: 3, again: 0)
        let wide = Sample.ball(key, (0, 3), type: "wide", charged: 1, extras: 1, count: 0)
        let match = Sample.match(
            innings: ["a_1": Sample.innings((0, 2), runs: 3)],
            play: #","related_balls":{"\#(key.number)":\#(wide)}"#,
            cache: Self.kept
        )
        let page = Sample.page("a_1", 0, [Sample.plain(0, 1, bat: 1), Sample.plain(0, 2, bat: 2)], expires: expires)
        let snapshot = try adapter.snapshot(ProviderReplies([.match: match, .balls: page]), ProviderSession())
        #expect(snapshot.isIncomplete == isIncomplete)
    }

    /// The oldest page is known all the same: all pages have the same life.
    @Test func pagesAreRequestedInOrderOfTheirExpiry() {
        let match = Sample.match(
            innings: ["a_1": Sample.innings((7, 0), runs: 7)],
            card: Sample.card(runs: 8, balls: 42),
            cache: Self.kept
        )
        func over(_ number: Int) -> [String] { (1...6).map { Sample.plain(number, $0, bat: $0 == 1 ? 1 : 0) } }
        var replies = ProviderReplies([
            .match: match, .balls: Sample.page("a_1", 6, over(6), before: "a_1_5", expires: 900),
        ])
        for (number, expires) in [500.0, 300, 700, 100, 600, 200].enumerated() {
            let before = number > 0 ? "a_1_\(number - 1)" : nil
            replies[.balls("a_1_\(number)")] =
                Sample.page("a_1", number, over(number), before: before, expires: expires)
        }
        #expect(parts(replies).dropFirst(2) == ["balls.a_1_3"])
    }
}
