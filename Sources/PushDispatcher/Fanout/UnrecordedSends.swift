// What a crash would repeat is bounded for the whole node, so all lanes and the recorder count in one place.

internal import Synchronization

/// Sends of completed buckets that are not recorded yet; lanes add, the recorder takes off.
final class UnrecordedSends: Sendable {
    private let total = Atomic<Int>(0)

    var count: Int { total.load(ordering: .relaxed) }

    func completed(_ sends: Int) { total.add(sends, ordering: .relaxed) }

    /// Recorded, or given up because somebody else serves the bucket.
    func settled(_ sends: Int) { total.subtract(sends, ordering: .relaxed) }
}
