// A node sends for its own buckets only, and only in the term that it claimed them in: a sleeper must not send twice.

import FollowService
import Logging
import Postgres
import ScoreTypes
import Synchronization

/// Which buckets this node owns, kept in step between leases and arenas.
final class BucketOwnership: Sendable {
    /// How often ownership is looked at, in real time as leases are: a takeover waits for half of it on average.
    static let interval = Duration.milliseconds(250)

    private struct Owned {
        var buckets: [Bucket] = []
        /// The term in which they were claimed; another one means that somebody else may have had them meanwhile.
        var term: Term?
        /// Whether the tokens of all these buckets were read; if not, the next look tries again.
        var isHeld = true
        var changed: (@Sendable () async -> Void)?
    }

    private let membership: Membership
    private let arenas: ArenaIndex
    private let owned = Mutex(Owned())
    private let log = Logger(label: "score.buckets")

    init(membership: Membership, arenas: ArenaIndex) {
        self.membership = membership
        self.arenas = arenas
    }

    /// The buckets of this node, in order.
    var buckets: [Bucket] { owned.withLock { $0.buckets } }

    /// Whether this node may send now: it is trusted, in the very term in which it claimed its buckets.
    var maySend: Bool {
        guard membership.isTrusted, let term = membership.term else { return false }
        return owned.withLock { $0.term == term }
    }

    /// Calls back whenever other buckets can be walked.
    func onChange(_ changed: @escaping @Sendable () async -> Void) { owned.withLock { $0.changed = changed } }

    /// Claims buckets once.
    func claim() async throws {
        let term = membership.term
        if owned.withLock({ $0.term != nil && $0.term != term }) { try await hold([], in: nil) }
        let claimed = try await membership.claimBuckets()
        guard let term, membership.term == term else { return }
        guard claimed != buckets || owned.withLock({ $0.term != term || !$0.isHeld }) else { return }
        try await hold(claimed, in: term)
        log.info("buckets owned", metadata: ["count": "\(claimed.count)"])
    }

    /// Keeps claiming until cancelled.
    func run() async {
        while !Task.isCancelled {
            do { try await claim() } catch {
                if !Task.isCancelled { log.warning("buckets not claimed", metadata: ["error": "\(error)"]) }
            }
            try? await Task.sleep(for: Self.interval)
        }
    }

    private func hold(_ buckets: [Bucket], in term: Term?) async throws {
        owned.withLock {
            $0.buckets = buckets
            $0.term = term
            $0.isHeld = false
        }
        try await arenas.own(buckets)
        owned.withLock { $0.isHeld = true }
        await owned.withLock { $0.changed }?()
    }
}
