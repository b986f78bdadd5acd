// What a sink has to tell is one number, read while its loop is busy.

internal import Synchronization

/// Requests that a sink has answered.
public final class RequestCounter: Sendable {
    private let total = Atomic<Int>(0)

    /// Counts from zero.
    public init() {}

    /// Requests that were answered.
    public var count: Int { total.load(ordering: .relaxed) }

    func add(_ requests: Int) { total.add(requests, ordering: .relaxed) }
}
