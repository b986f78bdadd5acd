// Whether a node may act is known without asking Postgres, from the start of its last good renewal.

internal import ScoreTypes

/// A node's belief in its own life.
struct NodeStanding: Sendable {
    /// Taken off the lease on our side, for the time that a write takes to reach Postgres.
    static let margin = Duration.milliseconds(500)

    /// The number that all writes are fenced by.
    let term: Term
    /// Monotonic time up to which the node may act.
    private(set) var trustedUntil: Duration
    private let timeToLive: Duration

    /// The node joined with a statement that was begun at the given monotonic time.
    init(term: Term, begunAt: Duration, timeToLive: Duration) {
        self.term = term
        self.timeToLive = timeToLive
        trustedUntil = begunAt + timeToLive - Self.margin
    }

    /// A renewal succeeded that was begun at the given monotonic time.
    mutating func renewed(begunAt: Duration) {
        trustedUntil = max(trustedUntil, begunAt + timeToLive - Self.margin)
    }

    func isTrusted(at now: Duration) -> Bool { now < trustedUntil }
}
