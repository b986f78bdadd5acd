// Twice a second the served buckets of every match are compared with the tokens in memory; they rarely differ.

internal import ScoreTypes

/// The buckets of a match that this node serves, with the recorded revision of each.
struct ServedBuckets: Sendable {
    /// The recorded revision of each served bucket.
    private(set) var revisions: [Bucket: Int64] = [:]
    /// The array of the last comparison without a difference; nil after a change.
    private var compared: [Bucket]?

    /// The buckets to take over and to release so that exactly `buckets` are served; nil when they are.
    ///
    /// An array that is the same as before is not read again.
    mutating func difference(from buckets: [Bucket]) -> (fresh: Set<Bucket>, gone: Set<Bucket>)? {
        guard buckets != compared else { return nil }
        let (wanted, served) = (Set(buckets), Set(revisions.keys))
        guard wanted != served else {
            compared = buckets
            return nil
        }
        return (wanted.subtracting(served), served.subtracting(wanted))
    }

    /// Serves buckets from their recorded revisions on.
    mutating func take(_ taken: [Bucket: Int64]) {
        revisions.merge(taken) { $1 }
        compared = nil
    }

    /// Serves buckets no longer; the next comparison finds them if they are wanted.
    mutating func release(_ buckets: some Sequence<Bucket>) {
        for bucket in buckets { revisions[bucket] = nil }
        compared = nil
    }

    /// Records a revision of those buckets that are still served.
    mutating func record(_ revision: Int64, of buckets: [Bucket]) {
        for bucket in buckets where revisions[bucket] != nil { revisions[bucket] = revision }
    }
}
