// A webhook's call can be recorded and replayed; a repeated or old body has no effect.

import ScoreTypes
import Synchronization

/// The bodies that webhooks have posted lately.
final class NoticeHistory: Sendable {
    private struct Feed {
        /// At least the newest half of the capacity is kept.
        var digests = GenerationCache<SecretDigest, Void>(capacity: 2 * ServerLimits.noticeDigests)
        var newest: Int64 = .min
    }

    private let feeds = Mutex<[FeedID: Feed]>([:])

    /// Records a body; returns why it has no effect, or nil for a new one.
    func take(_ body: [UInt8], sentAt: Int64?, feed: FeedID, now: Instant) -> NoticeOutcome? {
        let digest = SecretDigest(of: body)
        return feeds.withLock { feeds in
            var known = feeds[feed] ?? Feed()
            defer { feeds[feed] = known }
            if known.digests[digest] != nil { return .repeated }
            known.digests[digest] = ()
            guard let sentAt, sentAt < now.seconds + ServerLimits.noticeLeadSeconds else { return nil }
            let isLate = known.newest != .min && sentAt < known.newest - ServerLimits.noticeDelaySeconds
            known.newest = max(known.newest, sentAt)
            return isLate ? .late : nil
        }
    }

    /// Removes a body that could not be processed, so that its retry counts as new.
    func forget(_ body: [UInt8], feed: FeedID) {
        let digest = SecretDigest(of: body)
        feeds.withLock { $0[feed, default: Feed()].digests[digest] = nil }
    }
}
