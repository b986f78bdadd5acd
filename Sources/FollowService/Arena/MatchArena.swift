// The status and the fan-outs of hundreds of matches need sums and open buckets without reading each bucket.

internal import ScoreTypes
internal import Synchronization

/// The tokens of one match in all buckets.
final class MatchArena: Sendable {
    /// Tokens and memory of all buckets.
    let totals = ArenaTotals()
    private let buckets: [BucketArena]
    /// The open buckets; nil after one was opened or emptied.
    private let known = Mutex<[Bucket]?>(nil)

    init() { buckets = (0..<Bucket.count).map { [totals] _ in BucketArena(totals) } }

    subscript(_ bucket: Bucket) -> BucketArena { buckets[Int(bucket.number)] }

    /// The open buckets, in order; the same array until one is opened or emptied.
    var openBuckets: [Bucket] {
        known.withLock { known in
            let found = known ?? Bucket.all.filter { self[$0].isOpen }
            known = found
            return found
        }
    }

    /// Opens a bucket after a build, unless it was emptied since that build began.
    func open(_ bucket: Bucket, _ build: Int) {
        self[bucket].open(build)
        known.withLock { $0 = nil }
    }

    /// Drops the tokens of a bucket; returns the number of the next build.
    @discardableResult
    func empty(_ bucket: Bucket) -> Int {
        defer { known.withLock { $0 = nil } }
        return self[bucket].reset()
    }
}

/// The sums over the buckets of a match.
final class ArenaTotals: Sendable {
    private let tokens = Atomic<Int>(0)
    private let bytes = Atomic<Int>(0)

    /// Tokens held.
    var tokenCount: Int { tokens.load(ordering: .relaxed) }

    /// Memory held, in bytes.
    var byteCount: Int { bytes.load(ordering: .relaxed) }

    /// Adds the change of one bucket.
    func add(tokens: Int, bytes: Int) {
        self.tokens.add(tokens, ordering: .relaxed)
        self.bytes.add(bytes, ordering: .relaxed)
    }
}
