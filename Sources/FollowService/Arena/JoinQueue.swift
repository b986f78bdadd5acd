// A build lets nobody in before it has caught up with what changed while it was read.

/// A build that waits for the tail to let it in.
struct Join: Sendable {
    let gaps: [ArenaRegistry.Gap]
    let built: ArenaBuilder.Built
    let caller: CheckedContinuation<Result<Void, FollowError>, Never>
}

/// The builds that wait; at most one in practice, since builds go one after the other.
struct JoinQueue {
    private var waiting: [Join] = []
    private var isStopped = false

    /// Adds a build; false after the stop.
    mutating func add(_ join: Join) -> Bool {
        guard !isStopped else { return false }
        waiting.append(join)
        return true
    }

    /// The next build; it stays in the queue until `finish`.
    var first: Join? { waiting.first }

    /// Takes the first build out.
    mutating func finish() { waiting.removeFirst() }

    /// Refuses all, now and later.
    mutating func stop() -> [Join] {
        isStopped = true
        defer { waiting = [] }
        return waiting
    }
}
