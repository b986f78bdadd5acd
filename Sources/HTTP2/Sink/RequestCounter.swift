// The result of a sink is one number, which other threads read while its loop is busy.

internal import Synchronization

/// Requests that a sink has answered.
public final class RequestCounter: Sendable {
    private let total = Atomic<Int>(0)

    /// Starts at zero.
    public init() {}

    /// Answered requests so far.
    public var count: Int { total.load(ordering: .relaxed) }

    func add(_ requests: Int) { total.add(requests, ordering: .relaxed) }
}
