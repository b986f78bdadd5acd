// Receipt results, for operators and for the round that restarts stuck activities.

public import ScoreTypes
internal import Synchronization

/// The receipts of one match on this node.
struct ReceiptSummary: Sendable, Hashable {
    /// Activities whose phones have sent a receipt, and those that show the newest state.
    var phones = ReceiptTable.Count()
    /// Activities that are stuck.
    var stuck = 0
}

/// The newest report of a phone about an activity.
public struct KnownReceipt: Sendable, Hashable {
    /// The revision on the screen.
    public let shown: Int64
    /// When its phone reported it.
    public let observedAt: Instant
    /// Whether it is stuck.
    public let isStuck: Bool

    /// Describes a report.
    public init(shown: Int64, observedAt: Instant, isStuck: Bool = false) {
        (self.shown, self.observedAt, self.isStuck) = (shown, observedAt, isStuck)
    }
}

extension ReceiptMonitor {
    /// The newest receipt of an activity; nil when it has sent none, or another node owns its bucket.
    public func receipt(of activity: ActivityID, match: MatchID, on device: DeviceID) -> KnownReceipt? {
        let key = ReceiptKey(match: match, device: device)
        return state.withLock { state in
            state.table.newest(of: key, activity).map { newest in
                KnownReceipt(shown: newest.shown, observedAt: newest.at, isStuck: state.stuck.contains(key))
            }
        }
    }

    /// A page of the stuck activities of this node's buckets in order of fingerprint.
    ///
    /// - Parameters:
    ///   - match: Only of this match; nil for all.
    ///   - fingerprint: The last one of the page before; empty for the first page.
    ///   - limit: The most elements.
    /// - Returns: The page; shorter than the limit at the end.
    public func stuck(of match: MatchID?, after fingerprint: String, limit: Int) -> [StuckActivity] {
        state.withLock { $0.stuck.page(of: match, after: fingerprint, limit: limit) }
    }

    /// The newest published state of each match that this node remembers.
    func newestStates() -> [MatchID: Int64] { state.withLock { $0.histories.compactMapValues(\.newest) } }

    /// The receipts of all matches, bucket by bucket.
    func summaries() -> [MatchID: ReceiptSummary] {
        var counts: [MatchID: ReceiptTable.Count] = [:]
        for bucket in Bucket.all {
            state.withLock { state in
                state.table.add(bucket, to: &counts) { state.histories[$0]?.newest }
            }
        }
        var summaries = counts.mapValues { ReceiptSummary(phones: $0) }
        for (match, count) in state.withLock({ $0.stuck.counts }) {
            summaries[match, default: ReceiptSummary()].stuck = count
        }
        return summaries
    }

    /// Takes activities of a match that are to be started again; none is taken twice.
    func takeRestarts(of match: MatchID, limit: Int) -> [(device: DeviceID, activityID: ActivityID)] {
        state.withLock { $0.stuck.takeRestarts(of: match, limit: limit) }
    }

    /// Puts activities back that could not be started again now.
    func returnRestarts(_ stuck: [(device: DeviceID, activityID: ActivityID)], of match: MatchID) {
        state.withLock { $0.stuck.returnRestarts(stuck, of: match, at: clock.wall) }
    }

    /// Notes that activities of a match were started again.
    func noteRestarts(_ devices: [DeviceID], of match: MatchID) {
        state.withLock { $0.stuck.noteRestarts(devices, of: match, at: clock.wall) }
    }
}
