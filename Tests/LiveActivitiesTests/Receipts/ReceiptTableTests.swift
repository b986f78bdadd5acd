// The newest report of each activity is kept, bounded, and passed on as text.

import FollowService
import MatchSamples
import ScoreTypes
import Testing

@testable import LiveActivities

@Suite struct ReceiptTableTests {
    private static let start = Instant(milliseconds: 1_790_000_000_000)

    private func receipt(
        _ shown: Int64,
        device: UInt64 = 1,
        activity: String = "A",
        at seconds: Int64 = 0
    ) -> Receipt {
        Receipt(
            device: DeviceID(high: 9, low: device),
            activity: ShownActivity(
                activityID: ActivityID(unchecked: activity),
                match: Samples.match,
                shown: shown,
                accepted: 20,
                startedAt: Self.start
            ),
            observedAt: Self.start + .seconds(seconds)
        )
    }

    private func count(_ table: ReceiptTable, newest: Int64) -> ReceiptTable.Count {
        var counts: [MatchID: ReceiptTable.Count] = [:]
        for bucket in Bucket.all { table.add(bucket, to: &counts) { _ in newest } }
        return counts[Samples.match] ?? ReceiptTable.Count()
    }

    @Test func onlyANewerReportChangesTheTable() {
        var table = ReceiptTable()
        #expect(table.record(receipt(5)) == .moved)
        #expect(table.record(receipt(5, at: 59)) == .repeated)
        #expect(table.record(receipt(5, at: 60)) == .unmoved)
        #expect(table.record(receipt(4, at: 61)) == .outdated)
        #expect(table.record(receipt(7, at: 10)) == .moved, "revisions order reports, not clocks")
        #expect(table.record(receipt(6, activity: "B", at: 70)) == .moved, "another activity of the match")
        #expect(table.count == 1 && count(table, newest: 6) == .init(known: 1, confirmed: 1))
        #expect(count(table, newest: 7) == .init(known: 1, confirmed: 0))
    }

    @Test func theTableIsBoundedAndForgets() {
        var table = ReceiptTable(capacity: 3)
        let effects = (1...4).map { table.record(receipt(5, device: $0, at: Int64($0) * 100)) }
        #expect(effects == [.moved, .moved, .moved, .dropped] && table.count == 3)
        #expect(table.record(receipt(6, device: 3, at: 500)) == .moved, "a known activity is updated in a full table")
        let gone = table.remove([ActivityID(unchecked: "A")], of: DeviceID(high: 9, low: 1))
        #expect(gone == [ReceiptKey(match: Samples.match, device: DeviceID(high: 9, low: 1))] && table.count == 2)
        for bucket in Bucket.all { table.expire(bucket, before: Self.start + .seconds(300)) }
        #expect(table.count == 1)
        for bucket in Bucket.all { table.expire(bucket, before: nil) }
        #expect(table.count == 0 && count(table, newest: 1).known == 0)
    }

    @Test func messagesFitIntoNotificationsAndAreReadBack() {
        let long = String(repeating: "a", count: 64)
        let receipts = (1...500).map { ReceiptMessage.receipt(receipt(Int64($0), device: $0, activity: long)) }
        let ended = ReceiptMessage.ended(
            EndedActivity(device: DeviceID(high: 9, low: 1), activity: ActivityID(unchecked: long))
        )
        let payloads = ReceiptExchange.payloads(of: receipts + [ended])
        #expect(payloads.count > 1 && payloads.allSatisfy { $0.utf8.count < 8_000 })
        #expect(payloads.flatMap { ReceiptExchange.messages(in: $0) } == receipts + [ended])
        #expect(ReceiptExchange.messages(in: "another form here\n\(ended.line)\n1 2 3") == [ended])
        #expect(ReceiptExchange.payloads(of: []).isEmpty)
    }
}
