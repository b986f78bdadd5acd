// A moment may be corrected while requests of its notification wait for a stream or for another try.

internal import Synchronization

/// Withdraws the requests of a notification that have not been sent; all lanes share the object.
public final class NotificationRecall: Sendable {
    private let flag = Atomic(false)

    /// Withdraws nothing yet.
    public init() {}

    /// Whether no further request is sent.
    public var isWithdrawn: Bool { flag.load(ordering: .acquiring) }

    /// Drops the requests that wait; open requests stay, and are not repeated.
    public func withdraw() { flag.store(true, ordering: .releasing) }
}
