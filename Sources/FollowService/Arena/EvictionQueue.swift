// Dead tokens leave memory at once and Postgres in batches.

internal import ScoreTypes

/// The dead tokens that wait to be ended in Postgres.
struct EvictionQueue {
    /// Rows a statement: 1,000 keep it at 12 ms, and the horizon of the changes moving.
    static let rowsMax = 1_000
    /// Dead tokens that may wait: a tenth of a final's audience; more are left to be named again by APNs.
    static let waitingMax = 100_000

    private(set) var waiting: [RejectedToken] = []
    private(set) var droppedCount = 0
    private var isWriting = false

    /// Takes what fits and returns it.
    mutating func add(_ evictions: [RejectedToken]) -> ArraySlice<RejectedToken> {
        let taken = evictions.prefix(Self.waitingMax - min(Self.waitingMax, waiting.count))
        droppedCount += evictions.count - taken.count
        waiting += taken
        return taken
    }

    /// Whether something waits and nobody writes, as after a failure.
    var needsWriter: Bool { !isWriting && !waiting.isEmpty }

    /// The right to write, for one at a time.
    mutating func beginWriting() -> Bool {
        guard needsWriter else { return false }
        isWriting = true
        return true
    }

    /// The next batch; none ends the right to write.
    mutating func next() -> [RejectedToken] {
        let batch = Array(waiting.prefix(Self.rowsMax))
        if batch.isEmpty { isWriting = false }
        return batch
    }

    /// Takes a written batch out.
    mutating func written(_ count: Int) { waiting.removeFirst(min(count, waiting.count)) }

    /// Ends the right to write; what waits is tried again later.
    mutating func failed() { isWriting = false }
}
