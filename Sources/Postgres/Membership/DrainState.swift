// A drained node hands its leases over, unless it is the last one: then the matches would stand still.

internal import ScoreTypes

/// The order to drain a node as the node knows it, and the node's report.
struct DrainState: Sendable {
    /// The order of an operator.
    private(set) var order: DrainOrder?
    /// Whether the node gives its leases to others.
    private(set) var isLeaving = false
    var report = NodeReport()

    /// Takes what a renewal found; returns whether the node has to release its leases.
    mutating func take(_ renewal: Renewal) -> Bool {
        order = renewal.order
        isLeaving = renewal.order != nil && renewal.othersServing > 0
        return isLeaving
    }
}

/// The answer to a renewal.
struct Renewal: Sendable {
    let order: DrainOrder?
    /// Other living nodes that are not drained and can do all of this node's work.
    let othersServing: Int
    /// The time by PostgreSQL's clock.
    let at: Instant

    init(order: DrainOrder?, othersServing: Int, at: Instant) {
        (self.order, self.othersServing, self.at) = (order, othersServing, at)
    }

    init(_ row: Row) throws {
        let seconds = try row.intIfPresent(1) ?? 0
        self.init(
            order: try row.timestampIfPresent(0).map { DrainOrder(at: $0, spread: .seconds(seconds)) },
            othersServing: Int(clamping: try row.int(2)),
            at: try row.timestamp(3)
        )
    }
}
