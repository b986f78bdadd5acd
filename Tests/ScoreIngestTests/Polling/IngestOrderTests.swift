// What one node tells another fits in a line, and what an older one tells is understood.

import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct IngestOrderTests {
    private static let feed = FeedID(unchecked: "rz")
    private static let match = ProviderMatchID(unchecked: "icc_wc_2023_g26")

    private static func notice(key: String? = "1049280", sentAt: Int64? = 1_234_567_890) -> ProviderNotice {
        let ball = key.map { ProviderNotice.Ball(key: $0, innings: 2, over: 1, isDelete: true) }
        return ProviderNotice(
            provider: .roanuz,
            match: match,
            ball: ball,
            reason: .update,
            kind: .ball,
            sentAt: sentAt
        )
    }

    @Test func ordersComeAsTheyWereSent() {
        let orders: [IngestOrder] = [
            .poll(Self.feed, Self.match), .notice(Self.feed, Self.notice()), .notice(Self.feed, Self.notice(key: nil)),
            .notice(Self.feed, Self.notice(sentAt: nil)), .feed(Self.feed, .turn), .steer(MatchID(unchecked: "m1")),
            .aliases,
        ]
        #expect(orders.map { IngestOrder($0.payload) } == orders.map(Optional.some))
    }

    @Test func theOrderOfAnOlderServerIsRead() {
        #expect(IngestOrder("poll rz icc_wc_2023_g26") == .poll(Self.feed, Self.match))
    }

    /// A key that is no word, or longer than any, would hide the rest.
    @Test(arguments: ["", "a b", String(repeating: "7", count: 9_000)])
    func aKeyThatIsNoWordStaysBehind(key: String) {
        let order = IngestOrder.notice(Self.feed, Self.notice(key: key))
        #expect(IngestOrder(order.payload) == .notice(Self.feed, Self.notice(key: nil)))
    }

    @Test(arguments: [
        "notice", "notice rz", "notice rz roanuz", "notice rz roanuz m1 update ball",
        "notice rz roanuz m1 update ball x",
        "notice rz nobody m1 update ball -", "notice rz roanuz m1 update ball - 7", "notice rz roanuz m1 no ball -",
        "notice rz roanuz m1 update ball - 7 0 1 keep", "notice rz roanuz m1 update ball - 7 1 -1 keep",
        "notice rz roanuz m1 update ball - 7 1 10000 keep", "notice rz roanuz m1 update ball - 7 1 1 maybe",
        "notice rz roanuz m1 update ball - 7 1 1 keep more",
    ])
    func otherTextsAreNone(payload: String) {
        #expect(IngestOrder(payload) == nil)
    }
}
