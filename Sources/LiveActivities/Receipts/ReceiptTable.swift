// The newest report of each activity, so that a repeated or older one changes nothing.

internal import FollowService
internal import ScoreTypes

/// The newest receipts of the activities in this node's buckets, bounded.
struct ReceiptTable: Sendable {
    /// The effect of a receipt, by its name in metrics.
    enum Effect: String, Sendable, Hashable, CaseIterable {
        /// The activity shows a newer revision than before, or is new here.
        case moved
        /// It shows the same revision as some time ago.
        case unmoved
        /// The same report again.
        case repeated
        /// A newer revision was reported before.
        case outdated
        /// The table is full.
        case dropped
    }

    /// Activities of one match.
    struct Count: Sendable, Hashable {
        /// Activities whose phones have sent a receipt.
        var known = 0
        /// Activities that show the newest published state.
        var confirmed = 0
    }

    private struct Mark: Sendable {
        /// Hash of the activity's id: a device that starts another activity of the match begins anew.
        let activity: UInt64
        let shown: Int64
        let observedAt: Instant
    }

    private let capacity: Int
    private var buckets = [[ReceiptKey: Mark]](repeating: [:], count: Bucket.count)
    /// Activities in the table.
    private(set) var count = 0

    init(capacity: Int = LiveActivityLimits.receiptsKept) { self.capacity = capacity }

    /// Records a receipt.
    mutating func record(_ receipt: Receipt) -> Effect {
        let mark = Mark(
            activity: Self.hash(of: receipt.activity.activityID),
            shown: receipt.activity.shown,
            observedAt: receipt.observedAt
        )
        let place = Int(Bucket(of: receipt.device).number)
        guard let known = buckets[place][receipt.key] else {
            guard count < capacity else { return .dropped }
            buckets[place][receipt.key] = mark
            count += 1
            return .moved
        }
        if known.activity == mark.activity {
            guard mark.shown >= known.shown else { return .outdated }
            let isSame = mark.shown == known.shown
            guard !isSame || mark.observedAt - known.observedAt >= LiveActivityLimits.receiptRepetition else {
                return .repeated
            }
            buckets[place][receipt.key] = mark
            return isSame ? .unmoved : .moved
        }
        buckets[place][receipt.key] = mark
        return .moved
    }

    /// The newest receipt of an activity.
    func newest(of key: ReceiptKey, _ activity: ActivityID) -> (shown: Int64, at: Instant)? {
        guard let mark = buckets[Int(Bucket(of: key.device).number)][key], mark.activity == Self.hash(of: activity)
        else { return nil }
        return (mark.shown, mark.observedAt)
    }

    /// Removes activities of a device; returns their keys.
    mutating func remove(_ activities: [ActivityID], of device: DeviceID) -> [ReceiptKey] {
        let (place, ids) = (Int(Bucket(of: device).number), Set(activities.map { Self.hash(of: $0) }))
        let gone = buckets[place].filter { $0.key.device == device && ids.contains($0.value.activity) }.map(\.key)
        for key in gone { buckets[place][key] = nil }
        count -= gone.count
        return gone
    }

    /// Removes the receipts of a bucket that were observed before an instant; nil for all.
    mutating func expire(_ bucket: Bucket, before instant: Instant?) {
        let place = Int(bucket.number)
        count -= buckets[place].count
        buckets[place] = instant.map { limit in buckets[place].filter { $0.value.observedAt >= limit } } ?? [:]
        count += buckets[place].count
    }

    /// Adds the activities of a bucket to counts by match; `newest` has the newest published state of each match.
    func add(_ bucket: Bucket, to counts: inout [MatchID: Count], newest: (MatchID) -> Int64?) {
        for (key, mark) in buckets[Int(bucket.number)] {
            counts[key.match, default: Count()].known += 1
            if let revision = newest(key.match), mark.shown >= revision { counts[key.match]?.confirmed += 1 }
        }
    }

    private static func hash(of activity: ActivityID) -> UInt64 { FNV1a.hash(activity.text.utf8) }
}
