// A build is opened only after the changes since its snapshot have been applied.

/// A build that waits for the changes since its snapshot.
struct PendingBuild: Sendable {
    let gaps: [ArenaRegistry.Gap]
    let built: ArenaBuilder.Built
    let caller: CheckedContinuation<Result<Void, FollowError>, Never>
}

/// The builds that wait; at most one in practice, since builds run one after the other.
struct BuildQueue {
    private var waiting: [PendingBuild] = []
    private var isStopped = false

    /// Adds a build; false after the stop.
    mutating func add(_ build: PendingBuild) -> Bool {
        guard !isStopped else { return false }
        waiting.append(build)
        return true
    }

    /// The next build; it stays in the queue until `finish`.
    var first: PendingBuild? { waiting.first }

    /// Removes the first build.
    mutating func finish() { waiting.removeFirst() }

    /// Refuses later builds; returns the waiting ones.
    mutating func stop() -> [PendingBuild] {
        isStopped = true
        defer { waiting = [] }
        return waiting
    }
}
