// Rejected tokens leave memory at once and PostgreSQL in batches.

internal import ScoreTypes

/// The rejected tokens that wait to be ended in PostgreSQL.
struct EvictionQueue {
    private(set) var waiting: [RejectedToken] = []
    private(set) var droppedCount = 0
    private var isWriting = false

    /// Adds evictions up to the limit; returns the added ones.
    mutating func add(_ evictions: [RejectedToken]) -> ArraySlice<RejectedToken> {
        let taken = evictions.prefix(FollowLimits.waitingEvictions - min(FollowLimits.waitingEvictions, waiting.count))
        droppedCount += evictions.count - taken.count
        waiting += taken
        return taken
    }

    /// Whether evictions wait and no task writes them, as after a failure.
    var needsWriter: Bool { !isWriting && !waiting.isEmpty }

    /// Begins to write; false when another task writes or none waits.
    mutating func beginWriting() -> Bool {
        guard needsWriter else { return false }
        isWriting = true
        return true
    }

    /// The next batch; an empty one ends the writing.
    mutating func next() -> [RejectedToken] {
        let batch = Array(waiting.prefix(FollowLimits.rowsPerEnd))
        if batch.isEmpty { isWriting = false }
        return batch
    }

    /// Removes a written batch.
    mutating func written(_ count: Int) { waiting.removeFirst(min(count, waiting.count)) }

    /// Ends the writing after a failure; it is repeated later.
    mutating func failed() { isWriting = false }
}
