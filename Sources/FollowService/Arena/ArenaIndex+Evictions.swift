// A token that APNs rejects leaves memory at once, and its activity ends in PostgreSQL in batches.

internal import Logging
internal import Postgres
public import ScoreTypes
internal import Synchronization

extension ArenaIndex {
    /// Removes a rejected token at once, and ends its activity in PostgreSQL soon; returns without waiting.
    ///
    /// A newer registration, and one later than the time of death, stays. A failed write is repeated.
    public func evict(_ rejected: RejectedToken) {
        let arena = registry.withLock { $0.matches[rejected.match] }
        let isRemoved =
            arena?[Bucket(of: rejected.device)].remove(
                rejected.device,
                upTo: rejected.generation,
                registeredBy: rejected.deadAt
            ) ?? false
        if isRemoved { registry.withLock { $0.noteEvicted(rejected) } }
        let (isQueued, mayWrite) = evictions.withLock { ($0.add(rejected), $0.beginWriting()) }
        if isRemoved, !isQueued { registry.withLock { $0.forgetEvicted(rejected) } }
        if mayWrite { Task { await writeEvictions() } }
    }

    /// Writes the queue again after a failure.
    func retryEvictions() {
        if evictions.withLock({ $0.beginWriting() }) { Task { await writeEvictions() } }
    }

    /// Writes batches until the queue is empty; only for the task that `beginWriting` chose.
    private func writeEvictions() async {
        while true {
            let batch = evictions.withLock { $0.next() }
            if batch.isEmpty { return }
            let rows = batch.map {
                (DeviceMatchKey(match: $0.match, device: $0.device), $0.generation, $0.deadAt)
            }
            do {
                _ = try await ActivityWriter.finish(rows, reason: .rejected, in: pool)
            } catch {
                logger.warning("activities of rejected tokens cannot be ended", metadata: ["error": "\(error)"])
                evictions.withLock { $0.failed() }
                return
            }
            evictions.withLock { $0.written(batch.count) }
            registry.withLock { registry in batch.forEach { registry.forgetEvicted($0) } }
            wake()
        }
    }
}

/// The rejected tokens whose activities are not yet ended in PostgreSQL.
struct EvictionQueue {
    private(set) var waiting: [RejectedToken] = []
    private var isWriting = false

    /// Adds a rejected token; returns false when the queue is full.
    mutating func add(_ rejected: RejectedToken) -> Bool {
        guard waiting.count < FollowLimits.evictionsWaiting else { return false }
        waiting.append(rejected)
        return true
    }

    /// Whether the caller becomes the one writer: something waits, and no task writes.
    mutating func beginWriting() -> Bool {
        guard !isWriting, !waiting.isEmpty else { return false }
        isWriting = true
        return true
    }

    /// The next batch; an empty one ends the writing.
    mutating func next() -> [RejectedToken] {
        let batch = Array(waiting.prefix(FollowLimits.rowsPerStatement))
        if batch.isEmpty { isWriting = false }
        return batch
    }

    /// Removes a written batch.
    mutating func written(_ count: Int) { waiting.removeFirst(min(count, waiting.count)) }

    /// Ends the writing; the queue is written again later.
    mutating func failed() { isWriting = false }
}
