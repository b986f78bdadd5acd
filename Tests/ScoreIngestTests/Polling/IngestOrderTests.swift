// An order to another node is one line of text.

import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct IngestOrderTests {
    private static let feed = FeedID(unchecked: "rz")
    private static let match = ProviderMatchID(unchecked: "icc_wc_2023_g26")

    private static let ball = ProviderNotice.Ball(innings: 2, over: 1)

    @Test func ordersAreReadAsSent() {
        let orders: [IngestOrder] = [
            .poll(Self.feed, Self.match), .feed(Self.feed, .turn), .steer(MatchID(unchecked: "m1")), .aliases,
            .resync(MatchID(unchecked: "m1")), .republish(MatchID(unchecked: "m1")),
            .notice(Self.feed, ProviderNotice(match: Self.match, ball: Self.ball, sentAt: 1_234_567_890)),
            .notice(Self.feed, ProviderNotice(match: Self.match, sentAt: 1_234_567_890)),
            .notice(Self.feed, ProviderNotice(match: Self.match, ball: Self.ball)),
        ]
        #expect(orders.map { IngestOrder($0.payload) } == orders.map(Optional.some))
    }

    @Test func aPollOrderIsRead() {
        #expect(IngestOrder("poll rz icc_wc_2023_g26") == .poll(Self.feed, Self.match))
    }

    @Test(arguments: [
        "notice", "notice rz", "notice rz m1", "notice rz m1 x", "notice rz m/1 -", "notice rz m1 - 1",
        "notice rz m1 - 0 1", "notice rz m1 - 1 -1", "notice rz m1 - 1 10000", "notice rz m1 - 1 1 more",
    ])
    func otherTextsAreNoOrders(payload: String) {
        #expect(IngestOrder(payload) == nil)
    }
}
