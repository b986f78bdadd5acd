// A webhook's call can be recorded and sent again by anybody on its way; a second time it does nothing.

import ScoreTypes
import Synchronization

/// Remembers what webhooks have brought.
final class NoticeLedger: Sendable {
    /// Bodies of one feed that are remembered: ten minutes of ten matches that are told of every second.
    static let digestsMax = 6_000
    /// How far behind the newest notice of a feed another may be, in seconds of the provider's own clock.
    ///
    /// The provider's clock may be wrong by hours; that it runs forward is all that is asked of it.
    static let lateSecondsMax: Int64 = 300
    /// How far ahead of our clock a notice may say it is, in seconds, before its time is not believed.
    static let aheadSecondsMax: Int64 = 86_400

    /// What a body is.
    enum Verdict: String, Sendable { case fresh, `repeat`, late }

    private struct Feed {
        var digests: [SecretDigest: Int] = [:]
        var order: [SecretDigest] = []
        var next = 0
        var newest: Int64 = .min
    }

    private let feeds = Mutex<[FeedID: Feed]>([:])

    /// Judges a body by what came before it, and remembers it.
    func judge(_ body: [UInt8], sentAt: Int64?, feed: FeedID, now: Instant) -> Verdict {
        let digest = SecretDigest(of: body)
        return feeds.withLock { feeds in
            var known = feeds[feed] ?? Feed()
            defer { feeds[feed] = known }
            if known.digests[digest] != nil { return .repeat }
            if known.order.count < Self.digestsMax {
                known.order.append(digest)
            } else {
                let oldest = known.order[known.next]
                // One that was forgotten and came again has a later place.
                if known.digests[oldest] == known.next { known.digests[oldest] = nil }
                known.order[known.next] = digest
            }
            known.digests[digest] = known.next
            known.next = (known.next + 1) % Self.digestsMax
            guard let sentAt, sentAt < now.seconds + Self.aheadSecondsMax else { return .fresh }
            let isLate = known.newest != .min && sentAt < known.newest - Self.lateSecondsMax
            known.newest = max(known.newest, sentAt)
            return isLate ? .late : .fresh
        }
    }

    /// Takes back that a body has come: nothing could be done about it, and the same one may come again.
    func forget(_ body: [UInt8], feed: FeedID) {
        let digest = SecretDigest(of: body)
        feeds.withLock { $0[feed, default: Feed()].digests[digest] = nil }
    }
}
