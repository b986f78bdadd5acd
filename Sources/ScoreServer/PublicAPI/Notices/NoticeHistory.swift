// A webhook's call can be recorded and replayed; a repeated or old body has no effect.

import ScoreTypes
import Synchronization

/// The bodies that webhooks have posted lately.
final class NoticeHistory: Sendable {
    private struct Feed {
        /// At least the newest half of the capacity is kept.
        var digests = GenerationCache<SecretDigest, Void>(capacity: 2 * ServerLimits.noticeDigests)
        var times = NoticeTimes()
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
            return known.times.isLate(sentAt) ? .late : nil
        }
    }

    /// Removes a body that could not be processed, so that its retry counts as new.
    func forget(_ body: [UInt8], feed: FeedID) {
        let digest = SecretDigest(of: body)
        feeds.withLock { $0[feed, default: Feed()].digests[digest] = nil }
    }
}

/// The times of one feed's webhooks, in seconds of the provider's clock.
///
/// One body with a wrong time must not make all later ones late: the second newest time decides.
struct NoticeTimes: Sendable, Hashable {
    private var newest = Int64.min
    private var secondNewest = Int64.min

    /// Records a time; whether it is too far behind those before it.
    mutating func isLate(_ time: Int64) -> Bool {
        let isLate = secondNewest != .min && time < secondNewest - ServerLimits.noticeDelaySeconds
        if time >= newest {
            (secondNewest, newest) = (newest, time)
        } else {
            secondNewest = max(secondNewest, time)
        }
        return isLate
    }
}
