// Which publications count, and which receipts are late.

import ScoreTypes
import Testing

@testable import Simulators

struct ConfirmationTimesTests {
    private static let publications = [
        PublishedRevision(revision: 1, at: 0), PublishedRevision(revision: 3, at: 20_000),
        PublishedRevision(revision: 5, at: 40_000),
    ]

    private static func times(
        _ confirmations: [(Int64, at: Int64)],
        from: Int64 = 0,
        now: Int64 = 100_000,
        couldSend: (Int64, Int64) -> Bool = { _, _ in true }
    ) -> ConfirmationTimes {
        var times = ConfirmationTimes()
        times.addPlay(
            confirmations.map { PhoneReceipts.Confirmation(revision: $0.0, at: $0.at) },
            of: publications,
            from: from,
            now: now,
            couldSend: couldSend
        )
        return times
    }

    @Test func aNewerRevisionConfirmsAnOlderOne() {
        let times = Self.times([(1, at: 4_000), (5, at: 40_200)])
        #expect(times.inPlay == [.seconds(4), .milliseconds(20_200), .milliseconds(200)])
        #expect(times.lateInPlay == 1)
    }

    @Test func aPublicationWithoutAReceiptIsLateAfterTenSeconds() {
        #expect(Self.times([(3, at: 21_000)], now: 49_999).lateInPlay == 1, "the second one has 1 s left")
        #expect(Self.times([(3, at: 21_000)], now: 50_000).inPlay == [.seconds(21), .seconds(1), .seconds(10)])
    }

    @Test func onlyTimesInWhichThePhoneCouldSendCount() {
        let times = Self.times([(1, at: 1_000), (5, at: 41_000)]) { _, until in until < 20_000 || until > 40_000 }
        #expect(times.inPlay == [.seconds(1), .seconds(1)] && times.lateInPlay == 0)
        #expect(Self.times([(5, at: 41_000)], from: 30_000).inPlay == [.seconds(1)], "the activity was not known")
    }

    @Test func thePhoneCouldSendWhileItsAppRan() {
        var spans = ReachableSpans()
        for (canSend, at) in [(true, 10), (true, 15), (false, 20), (true, 30)] as [(Bool, Int64)] {
            spans.observe(canSend, at: at)
        }
        #expect(spans.cover(10, until: 20) && spans.cover(31, until: 900))
        #expect(!spans.cover(9, until: 12) && !spans.cover(12, until: 21) && !spans.cover(25, until: 40))
        #expect([5, 12, 20, 31].map { spans.next(from: $0) } == [10, 12, 30, 31])
    }

    @Test func theNewestRevisionCountsForEachReachablePhone() {
        var times = ConfirmationTimes()
        let newest = PublishedRevision(revision: 5, at: 40_000)
        times.addNewest([.init(revision: 5, at: 41_000)], of: newest, from: 40_000)
        times.addNewest([.init(revision: 6, at: 50_001)], of: newest, from: 40_000)
        times.addNewest([.init(revision: 4, at: 41_000)], of: newest, from: 40_000)
        times.addNewest([.init(revision: 5, at: 65_001)], of: newest, from: 55_000)
        times.addNewest([.init(revision: 5, at: 56_000)], of: newest, from: 55_000)
        #expect(times.newest == [1_000, 10_001, 10_001, 1_000].map { .milliseconds($0) } && times.lateAtEnd == 3)
    }
}
