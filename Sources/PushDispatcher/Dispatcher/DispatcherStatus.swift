// The way of pushes at one moment, for operators.

/// What a dispatcher is doing.
public struct DispatcherStatus: Sendable {
    /// Answers since the start, by the three words.
    public let accepted: Int
    /// Refused for good.
    public let rejected: Int
    /// To be tried again.
    public let failed: Int
    /// Accepted broadcasts.
    public let broadcasts: Int
    /// States that a newer one replaced.
    public let superseded: Int
    /// Answers that were not accepted, by Apple's reason.
    public let byReason: [APNsReason: Int]
    /// Open connections.
    public let connections: Int
    /// Requests without an answer yet.
    public let inFlight: Int
    /// Matches with a publication.
    public let matches: Int
}

extension Dispatcher {
    /// What is going on.
    public func status() -> DispatcherStatus {
        let counts = laneCounts
        return DispatcherStatus(
            accepted: counts.accepted,
            rejected: counts.rejected,
            failed: counts.failed,
            broadcasts: counts.broadcasts,
            superseded: counts.superseded,
            byReason: counts.byReason,
            connections: counts.connections,
            inFlight: counts.streamsInFlight,
            matches: matches.count
        )
    }
}
