// Pages count the overs of an innings from 1 and balls count them from 0; recordings with both from 0 are read as well.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = RoanuzSample

@Suite struct RoanuzNumberingTests {
    private let adapter = RoanuzAdapter()
    private let id = ProviderMatchID(unchecked: "m1")
    private let session = ProviderSession(project: "p1", token: Secret("t"))

    private func parts(_ replies: ProviderReplies) -> [String] {
        adapter.matchRequests(id, session, replies: replies).map(\.part.rawValue)
    }

    /// The page of an over, which counts from `first`.
    private func page(_ over: Int, first: Int, innings: Int = 1, before: String? = nil, next: String? = nil) -> [UInt8]
    {
        let balls = (1...6).map { Sample.plain(over, $0, innings: innings) }
        return Sample.page(innings == 1 ? "a_1" : "b_1", over + first, balls, before: before, next: next)
    }

    @Test(arguments: [0, 1]) func theFirstPageHasTheFirstNumber(first: Int) {
        let match = Sample.match(innings: ["a_1": Sample.innings((4, 0))])
        let replies = ProviderReplies([.match: match, .balls: page(3, first: first, before: "a_1_\(2 + first)")])
        let all = (0...2).reversed().map { "balls.a_1_\($0 + first)" }
        #expect(parts(replies) == ["match", "balls"] + all)
    }

    /// The last over of an innings without a link from another page, also of one over.
    @Test(arguments: [(0, 1), (1, 1), (0, 3), (1, 3)]) func theLastPageHasTheLastNumber(first: Int, overs: Int) {
        let match = Sample.match(
            order: ["a_1", "b_1"],
            innings: ["a_1": Sample.innings((overs, 0)), "b_1": Sample.innings((1, 0))]
        )
        let replies = ProviderReplies([.match: match, .balls: page(0, first: first, innings: 2)])
        #expect(parts(replies) == ["match", "balls", "balls.a_1_\(overs - 1 + first)"])
    }

    /// A notice contains the over of the ball, not of the page.
    @Test(arguments: [0, 1]) func aNoticeRequestsThePageOfItsBall(first: Int) throws {
        let match = Sample.match(innings: ["a_1": Sample.innings((4, 0))])
        var replies = ProviderReplies([.match: match, .balls: page(3, first: first, before: "a_1_\(2 + first)")])
        for over in 0...2 {
            let before = over == 0 ? nil : "a_1_\(over - 1 + first)"
            replies[.balls("a_1_\(over + first)")] = page(over, first: first, before: before)
        }
        #expect(parts(replies) == ["match", "balls"])
        for over in 0...3 {
            let ball = ProviderNotice.Ball(innings: 1, over: over)
            let notice = ProviderNotice(match: id, ball: ball)
            let requested = adapter.requests(after: notice, session, replies: replies).map(\.part.rawValue)
            #expect(requested == ["match", "balls"] + (over == 3 ? [] : ["balls.a_1_\(over + first)"]))
        }
    }

    /// A page may skip others: the skipped ones are requested, and left out where the provider has none.
    @Test func oversSkippedByAPageAreRequested() throws {
        let match = Sample.match(innings: ["a_1": Sample.innings((4, 0))])
        var replies = ProviderReplies([
            .match: match, .balls: page(3, first: 1, before: "a_1_1"), .balls("a_1_1"): page(0, first: 1),
        ])
        let requested = adapter.matchRequests(id, session, replies: replies).dropFirst(2)
        #expect(requested.map(\.part) == [.balls("a_1_3"), .balls("a_1_2")])
        #expect(requested.allSatisfy { $0.isOptional })
        // An empty reply marks a page that does not exist.
        replies[.balls("a_1_3")] = []
        replies[.balls("a_1_2")] = page(1, first: 1, before: "a_1_1")
        let balls = try adapter.snapshot(replies, session).deliveries
        #expect(Set(balls.map(\.over)) == [0, 1, 3])
        #expect(!parts(replies).contains("balls.a_1_3"))
    }

    @Test(.timeLimit(.minutes(1)), arguments: [1_000_000_000_000, Int.max, Int.min])
    func numbersOfAnySizeAreHarmless(over: Int) {
        let match = Sample.match(innings: ["a_1": Sample.innings((4, 0))])
        let newest = Sample.page("a_1", over, [Sample.plain(3, 1)], before: "a_1_\(over &- 1)")
        let replies = ProviderReplies([.match: match, .balls: newest])
        #expect(parts(replies).count <= AdapterLimits.requestedPages + 2)
    }
}
