// A bound for the whole node on what a crash repeats, so that all lanes and the recorder share one counter.

internal import Synchronization

/// Sends of completed, unrecorded buckets: lanes add, the recorder subtracts.
final class UnrecordedSends: Sendable {
    private let total = Atomic<Int>(0)

    var count: Int { total.load(ordering: .relaxed) }

    func completed(_ sends: Int) { total.add(sends, ordering: .relaxed) }

    /// Subtracts sends that were recorded, or whose bucket another node serves.
    func settled(_ sends: Int) { total.subtract(sends, ordering: .relaxed) }
}
