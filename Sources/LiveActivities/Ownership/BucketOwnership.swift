// A node sends only for its own buckets, and only in the term in which it claimed them: a resumed node must not resend.

public import FollowService
internal import Logging
public import Postgres
public import ScoreTypes
internal import Synchronization

/// Which buckets this node owns, kept consistent between leases and arenas.
public final class BucketOwnership: Sendable {
    private struct Owned {
        var buckets: [Bucket] = []
        /// The term in which they were claimed; in another one, another node may have owned them meanwhile.
        var term: Term?
        /// Whether the tokens of all these buckets were read; if not, the next claim tries again.
        var areRead = true
    }

    /// An element each time the set of buckets whose tokens can be walked has changed; for one reader.
    ///
    /// It holds ``LiveActivityLimits/bucketChangesUnread`` elements.
    let changes: AsyncStream<Void>
    private let changed: AsyncStream<Void>.Continuation
    private let membership: Membership
    private let arenas: ArenaIndex
    private let owned = Mutex(Owned())
    private let log = Logger(label: "score.buckets")

    /// Owns nothing yet; the tokens of owned buckets are kept in the arenas.
    public init(membership: Membership, arenas: ArenaIndex) {
        self.membership = membership
        self.arenas = arenas
        (changes, changed) = AsyncStream.makeStream(
            of: Void.self,
            bufferingPolicy: .bufferingNewest(LiveActivityLimits.bucketChangesUnread)
        )
    }

    /// The buckets of this node, in order.
    public var buckets: [Bucket] { owned.withLock { $0.buckets } }

    /// Whether this node owns a bucket.
    public func owns(_ bucket: Bucket) -> Bool { owned.withLock { $0.buckets.contains(bucket) } }

    /// Whether this node may send now: its term is valid, and is the one in which it claimed its buckets.
    public var maySend: Bool {
        guard membership.isTrusted, let term = membership.term else { return false }
        return owned.withLock { $0.term == term }
    }

    /// Whether this node, as the only one, sends the broadcasts of a match: it owns the bucket of the match's id.
    func broadcasts(_ match: MatchID) -> Bool {
        // A match has a bucket of its own, by a hash of its id, so that matches spread over the nodes.
        let own = Int16(FNV1a.hash(match.text.utf8) % UInt64(Bucket.count))
        return owned.withLock { $0.buckets.contains { $0.number == own } }
    }

    /// Claims buckets once, and reads their tokens.
    ///
    /// - Throws: `PostgresError` or `FollowError` when Postgres cannot answer; the buckets claimed so far are owned.
    public func claim() async throws {
        let term = membership.term
        if owned.withLock({ $0.term != nil && $0.term != term }) { try await hold([], in: nil) }
        let claimed = try await membership.claimBuckets()
        guard let term, membership.term == term else { return }
        guard claimed != buckets || owned.withLock({ $0.term != term || !$0.areRead }) else { return }
        try await hold(claimed, in: term)
        log.info("buckets owned", metadata: ["count": "\(claimed.count)"])
    }

    /// Claims buckets until cancelled.
    public func run() async {
        while !Task.isCancelled {
            do { try await claim() } catch {
                if !Task.isCancelled { log.warning("buckets not claimed", metadata: ["error": "\(error)"]) }
            }
            try? await Task.sleep(for: LiveActivityLimits.claimInterval)
        }
    }

    private func hold(_ buckets: [Bucket], in term: Term?) async throws {
        owned.withLock {
            $0.buckets = buckets
            $0.term = term
            $0.areRead = false
        }
        try await arenas.own(buckets)
        owned.withLock { $0.areRead = true }
        changed.yield()
    }
}
