// Pages: found by walking back, requested when missing, requested again when inconsistent.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = RoanuzSample

@Suite struct RoanuzPagesTests {
    private let adapter = RoanuzAdapter()
    private let id = ProviderMatchID(unchecked: "m1")
    private let session = ProviderSession(project: "p1", token: Secret("t"))

    private func parts(_ replies: ProviderReplies) -> [String] {
        adapter.matchRequests(id, session, replies: replies).map(\.part.rawValue)
    }

    /// An over of six balls with runs off the first.
    private func over(_ number: Int, innings: Int = 1, runs: Int = 0) -> [String] {
        (1...6).map { Sample.plain(number, $0, bat: $0 == 1 ? runs : 0, innings: innings) }
    }

    @Test func theMatchAndItsNewestOverAreRequested() {
        let replies = ProviderReplies([.match: Sample.match()])
        let requests = adapter.matchRequests(id, session, replies: replies)
        #expect(requests.map(\.path) == ["/cricket/p1/match/m1/", "/cricket/p1/match/m1/ball-by-ball/"])
    }

    @Test func earlierOversAreRequestedAtOnce() throws {
        let match = Sample.match(innings: ["a_1": Sample.innings((3, 0))])
        var replies = ProviderReplies([
            .match: match, .balls: Sample.page("a_1", 2, over(2), before: "a_1_1"),
        ])
        #expect(parts(replies) == ["match", "balls", "balls.a_1_1", "balls.a_1_0"])
        let error = #expect(throws: AdapterError.self) { try adapter.snapshot(replies, session) }
        #expect(error == .missing(path: "reply balls.a_1_1"))
        replies[.balls("a_1_1")] = Sample.page("a_1", 1, over(1), before: "a_1_0")
        #expect(parts(replies) == ["match", "balls", "balls.a_1_0"])
        replies[.balls("a_1_0")] = Sample.page("a_1", 0, over(0))
        #expect(parts(replies) == ["match", "balls"])
        #expect(
            try adapter.snapshot(replies, session).deliveries.map(\.over)
                == [0, 1, 2].flatMap { Array(repeating: $0, count: 6) }
        )
    }

    /// A ball credited to the wrong batter at first changes no total, only the balls that each batter faced.
    ///
    /// Nor does a run that was a leg bye at first; one more ball on the card may be one that is still to come.
    @Test(arguments: [
        (runs: 3, balls: 18, isAsked: false), (3, 17, true), (2, 18, true), (4, 18, true), (4, 19, false),
    ])
    func aPageIsRequestedAgainWhenTheCardDiffers(_ card: (runs: Int, balls: Int, isAsked: Bool)) throws {
        let match = Sample.match(
            innings: ["a_1": Sample.innings((3, 0), runs: 3)],
            card: Sample.card(runs: card.runs, balls: card.balls)
        )
        let replies = ProviderReplies([
            .match: match, .balls: Sample.page("a_1", 2, over(2, runs: 1), before: "a_1_1"),
            .balls("a_1_1"): Sample.page("a_1", 1, over(1, runs: 1), before: "a_1_0"),
            .balls("a_1_0"): Sample.page("a_1", 0, over(0, runs: 1)),
        ])
        let requested = parts(replies).dropFirst(2)
        #expect(requested.count == (card.isAsked ? 1 : 0), "one at a time: a card may stay wrong")
        #expect(requested.allSatisfy { ["balls.a_1_0", "balls.a_1_1"].contains($0) })
    }

    @Test(arguments: [("in_play", 1), ("result", 4)])
    func theOldestPagesAreRequestedFirst(status: String, count: Int) throws {
        let match = Sample.match(
            status: status,
            innings: ["a_1": Sample.innings((7, 0), runs: 7)],
            card: Sample.card(runs: 8, balls: 42)
        )
        var replies = ProviderReplies([
            .match: match, .balls: Sample.page("a_1", 6, over(6, runs: 1), before: "a_1_5", madeAt: 900),
        ])
        let times: [Double] = [500, 300, 700, 100, 600, 200]
        for (number, madeAt) in times.enumerated() {
            let before = number > 0 ? "a_1_\(number - 1)" : nil
            replies[.balls("a_1_\(number)")] =
                Sample.page("a_1", number, over(number, runs: 1), before: before, madeAt: madeAt)
        }
        let requested = Array(parts(replies).dropFirst(2))
        #expect(requested == Array(["balls.a_1_3", "balls.a_1_5", "balls.a_1_1", "balls.a_1_0"].prefix(count)))
    }

    /// A late or withdrawn wicket changes no runs.
    @Test(arguments: [
        (wickets: 1, isOut: true, hasBall: false, isAsked: true), (0, true, false, false), (1, true, true, false),
        (0, false, true, true), (0, false, false, false),
    ])
    func aPageIsRequestedAgainForAWicketOfTheCard(
        _ at: (wickets: Int, isOut: Bool, hasBall: Bool, isAsked: Bool)
    ) throws {
        let match = Sample.match(
            innings: ["a_1": Sample.innings((2, 0), extras: #","wickets":\#(at.wickets)"#)],
            card: Sample.card(runs: 0, balls: 12, isOut: at.isOut)
        )
        let key = RoanuzBallKey(innings: 1, over: 0, ball: 6, again: 0)
        let wicket = #","wicket":{"player_key":"p1","wicket_type":"bowled"}"#
        let last = Sample.ball(key, (0, 6), more: at.hasBall ? wicket : "")
        let replies = ProviderReplies([
            .match: match, .balls: Sample.page("a_1", 1, over(1), before: "a_1_0"),
            .balls("a_1_0"): Sample.page("a_1", 0, over(0).dropLast() + [last]),
        ])
        #expect(Array(parts(replies).dropFirst(2)) == (at.isAsked ? ["balls.a_1_0"] : []))
    }

    @Test func keysOfAnotherFormAreFollowedOneByOne() throws {
        let match = Sample.match(innings: ["a_1": Sample.innings((3, 0))])
        var replies = ProviderReplies([.match: match, .balls: Sample.page("a_1", 2, over(2), before: "xyz")])
        #expect(parts(replies) == ["match", "balls", "balls.xyz"])
        replies[.balls("xyz")] = Sample.page("a_1", 1, over(1), before: "uvw")
        #expect(parts(replies) == ["match", "balls", "balls.uvw"])
        replies[.balls("uvw")] = Sample.page("a_1", 0, over(0))
        #expect(try adapter.snapshot(replies, session).deliveries.count == 18)
    }

    @Test func aCycleOfPageKeysEnds() throws {
        let match = Sample.match(innings: ["a_1": Sample.innings((1, 0))])
        let replies = ProviderReplies([
            .match: match, .balls: Sample.page("a_1", 0, over(0), before: "x"),
            .balls("x"): Sample.page("a_1", 0, over(0), before: "y"),
            .balls("y"): Sample.page("a_1", 0, over(0), before: "x"),
        ])
        #expect(parts(replies) == ["match", "balls"])
        #expect(try adapter.snapshot(replies, session).deliveries.count == 6)
    }

    @Test func anUnlinkedInningsStartsAtItsLastPage() throws {
        let match = Sample.match(
            order: ["a_1", "b_1"],
            innings: ["a_1": Sample.innings((2, 0), runs: 1, balls: 12), "b_1": Sample.innings((1, 0))]
        )
        var replies = ProviderReplies([.match: match, .balls: Sample.page("b_1", 0, over(0, innings: 2))])
        #expect(parts(replies) == ["match", "balls", "balls.a_1_1"])
        // The last over had no ball that counts, so only the page before links to it.
        replies[.balls("a_1_1")] = Sample.page("a_1", 1, over(1), before: "a_1_0", next: "a_1_2")
        #expect(parts(replies) == ["match", "balls", "balls.a_1_0", "balls.a_1_2"])
        replies[.balls("a_1_0")] = Sample.page("a_1", 0, over(0))
        let wide = Sample.ball(
            RoanuzBallKey(innings: 1, over: 2, ball: 1, again: 0),
            (2, 1),
            type: "wide",
            charged: 1,
            extras: 1,
            count: 0
        )
        replies[.balls("a_1_2")] = Sample.page("a_1", 2, [wide])
        #expect(try adapter.snapshot(replies, session).deliveries.count == 19)
    }

    @Test func inconsistentOversAreRequestedAgain() throws {
        let wrong = Sample.match(innings: ["a_1": Sample.innings((2, 0), runs: 9)])
        let replies = ProviderReplies([
            .match: wrong, .balls: Sample.page("a_1", 1, over(1), before: "a_1_0"),
            .balls("a_1_0"): Sample.page("a_1", 0, over(0, runs: 4)),
        ])
        #expect(parts(replies) == ["match", "balls", "balls.a_1_0"])
        // It is read all the same: its balls are certain.
        #expect(try adapter.snapshot(replies, session).deliveries.count == 12)
    }

    /// Of the newest over six balls were bowled, with two runs off the first, by the match.
    @Test(arguments: [
        (balls: 6, runs: 2, madeAfter: 0.0, lacks: false), (5, 2, 0, true), (0, 0, 0, true), (6, 1, 0, true),
        // A ball with more runs at first, or a ball that the match does not have yet.
        (6, 3, -5, true), (6, 3, 5, false),
    ])
    func aPageWithFewerBallsThanTheMatchIsIncomplete(
        _ page: (balls: Int, runs: Int, madeAfter: Double, lacks: Bool)
    ) throws {
        let replies = ProviderReplies([
            .match: Sample.match(innings: ["a_1": Sample.innings((2, 0), runs: 6)]),
            .balls: Sample.page(
                "a_1",
                1,
                Array(over(1, runs: page.runs).prefix(page.balls)),
                before: "a_1_0",
                madeAt: 1_698_396_795.5 + page.madeAfter
            ),
            .balls("a_1_0"): Sample.page("a_1", 0, over(0, runs: 4)),
        ])
        #expect(try adapter.snapshot(replies, session).isIncomplete == page.lacks)
    }

    @Test func anOverWithAMissingBallIsFound() {
        let match = Sample.match(innings: ["a_1": Sample.innings((30, 0))])
        var replies = ProviderReplies([.match: match, .balls: Sample.page("a_1", 29, over(29), before: "a_1_28")])
        for number in 0..<29 {
            let balls = number == 17 ? Array(over(number).dropLast()) : over(number)
            let before = number == 0 ? nil : "a_1_\(number - 1)"
            replies[.balls("a_1_\(number)")] = Sample.page("a_1", number, balls, before: before)
        }
        #expect(parts(replies).dropFirst(2).first == "balls.a_1_17")
        replies[.balls("a_1_17")] = Sample.page("a_1", 17, over(17), before: "a_1_16")
        #expect(parts(replies) == ["match", "balls"])
    }

    @Test(arguments: [
        #"{"overs":[2,0],"score":{"runs":5,"balls":12},"extra_runs":{"penalty":-9}}"#,
        #"{"overs":[2,0],"score":{"runs":-9223372036854775808},"extra_runs":{"penalty":9223372036854775807}}"#,
        #"{"overs":[2,0],"score":{"runs":9223372036854775807},"extra_runs":{"penalty":-9223372036854775808}}"#,
        #"{"overs":[2,0],"score":{"runs":-9223372036854775808},"extra_runs":{}}"#,
        #"{"overs":[9223372036854775807,1],"score":{"runs":1,"balls":12}}"#,
        #"{"overs":[-9223372036854775808,-1],"score":{"runs":1,"balls":12}}"#,
    ]) func totalsOfAnySizeAreHarmless(totals: String) {
        let match = Sample.match(innings: ["a_1": totals])
        let huge = over(0).map {
            $0.replacing("\"team_score\":{\"runs\":0", with: "\"team_score\":{\"runs\":\(Int.max)")
        }
        var replies = ProviderReplies([
            .match: match, .balls: Sample.page("a_1", 1, over(1, runs: 1), before: "a_1_0"),
            .balls("a_1_0"): Sample.page("a_1", 0, huge),
        ])
        #expect(parts(replies) == ["match", "balls", "balls.a_1_0"])
        replies[.balls("a_1_0")] = Sample.page("a_1", 0, over(0))
        let balls = try? adapter.snapshot(replies, session).deliveries.count
        // These penalties are out of range, which refuses the reply.
        #expect(balls == (totals.contains("penalty") ? nil : 12))
    }

    /// The last over of an innings without a page is found by its totals.
    @Test(arguments: ["[9223372036854775807,0]", "[9223372036854775807,1]", "[-1,9223372036854775807]", "[10000,1]"])
    func oversOfAnySizeNameNoPage(overs: String) {
        let match = Sample.match(
            order: ["a_1", "b_1"],
            innings: ["a_1": #"{"overs":\#(overs),"score":{"runs":1,"balls":12}}"#, "b_1": Sample.innings((1, 0))]
        )
        for first in 0...1 {
            let page = Sample.page("b_1", first, over(0, innings: 2))
            #expect(parts(ProviderReplies([.match: match, .balls: page])) == ["match", "balls"])
        }
    }

    @Test func theNewestStateOfABallIsUsed() throws {
        let key = RoanuzBallKey(innings: 1, over: 0, ball: 1, again: 0)
        let edited = Sample.ball(key, (0, 1), bat: 4).replacing("1698396722.5", with: "1698396799")
        let other = Sample.plain(0, 2, bat: 6)
        let second = RoanuzBallKey(innings: 1, over: 0, ball: 2, again: 0)
        let related = #","related_balls":{"\#(key.number)":\#(edited),"\#(second.number)":\#(other)}"#
        let balls = try Sample.snapshot([Sample.plain(0, 1, bat: 1)], play: related).deliveries
        // A ball that its own over lacks was withdrawn.
        #expect(balls.map(\.runs.bat) == [4])
    }

    @Test func aNoticeAboutAnOlderOverRequestsThatOver() throws {
        let match = Sample.match(innings: ["a_1": Sample.innings((2, 0))])
        let replies = ProviderReplies([
            .match: match, .balls: Sample.page("a_1", 1, over(1), before: "a_1_0"),
            .balls("a_1_0"): Sample.page("a_1", 0, over(0)),
        ])
        func parts(_ over: Int) -> [String] {
            let ball = ProviderNotice.Ball(innings: 1, over: over)
            let notice = ProviderNotice(match: id, ball: ball)
            return adapter.requests(after: notice, session, replies: replies).map(\.part.rawValue)
        }
        #expect(parts(0) == ["match", "balls", "balls.a_1_0"])
        #expect(parts(1) == ["match", "balls"])
        #expect(parts(99) == ["match", "balls"])
    }
}
