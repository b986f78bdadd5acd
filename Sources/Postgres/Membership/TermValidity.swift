// Decides without a query whether a node may act, from the start of its last successful renewal.

internal import ScoreTypes

/// The validity of a node's term as the node itself computes it.
struct TermValidity: Sendable {

    /// The term, which fences all writes.
    let term: Term
    /// Monotonic time until which the node may act.
    private(set) var trustedUntil: Duration
    private let timeToLive: Duration

    /// Starts with a `join` whose statement began at a monotonic time.
    init(term: Term, begunAt: Duration, timeToLive: Duration) {
        self.term = term
        self.timeToLive = timeToLive
        trustedUntil = begunAt + timeToLive - PostgresLimits.termMargin
    }

    /// Extends the validity after a renewal whose statement began at a monotonic time.
    mutating func renewed(begunAt: Duration) {
        trustedUntil = max(trustedUntil, begunAt + timeToLive - PostgresLimits.termMargin)
    }

    func isTrusted(at now: Duration) -> Bool { now < trustedUntil }
}
