// A webhook's call can be recorded and replayed; a repeated or old body has no effect.

import ScoreTypes
import Synchronization

/// The bodies that webhooks have posted lately.
final class NoticeHistory: Sendable {
    /// How a body relates to the ones before it.
    enum Novelty: String, Sendable { case fresh, `repeat`, late }

    private struct Feed {
        var digests: [SecretDigest: Int] = [:]
        var order: [SecretDigest] = []
        var next = 0
        var newest: Int64 = .min
    }

    private let feeds = Mutex<[FeedID: Feed]>([:])

    /// Compares a body with the ones before it, and records it.
    func judge(_ body: [UInt8], sentAt: Int64?, feed: FeedID, now: Instant) -> Novelty {
        let digest = SecretDigest(of: body)
        return feeds.withLock { feeds in
            var known = feeds[feed] ?? Feed()
            defer { feeds[feed] = known }
            if known.digests[digest] != nil { return .repeat }
            if known.order.count < ServerLimits.noticeDigests {
                known.order.append(digest)
            } else {
                let oldest = known.order[known.next]
                // A body that was forgotten and posted again has a later index.
                if known.digests[oldest] == known.next { known.digests[oldest] = nil }
                known.order[known.next] = digest
            }
            known.digests[digest] = known.next
            known.next = (known.next + 1) % ServerLimits.noticeDigests
            guard let sentAt, sentAt < now.seconds + ServerLimits.noticeLeadSeconds else { return .fresh }
            let isLate = known.newest != .min && sentAt < known.newest - ServerLimits.noticeDelaySeconds
            known.newest = max(known.newest, sentAt)
            return isLate ? .late : .fresh
        }
    }

    /// Removes a body that could not be processed, so that its retry counts as new.
    func forget(_ body: [UInt8], feed: FeedID) {
        let digest = SecretDigest(of: body)
        feeds.withLock { $0[feed, default: Feed()].digests[digest] = nil }
    }
}
