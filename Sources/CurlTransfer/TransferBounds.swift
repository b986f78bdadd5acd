// The bounds of one driver; simulated phones need higher ones than feeds.

/// The limits of a driver.
public struct TransferBounds: Sendable, Hashable {
    /// Transfers in progress or waiting for a connection; a further one fails.
    public let transfers: Int
    /// Connections to one host; a further transfer waits within its deadline.
    public let connectionsPerHost: Int
    /// Idle connections that are kept open.
    public let idleConnections: Int

    /// Makes bounds; the defaults are those of a node that polls a few feeds, and a number below 1 counts as 1.
    public init(
        transfers: Int = TransferLimits.transfers,
        connectionsPerHost: Int = TransferLimits.connectionsPerHost,
        idleConnections: Int = TransferLimits.idleConnections
    ) {
        self.transfers = max(1, transfers)
        self.connectionsPerHost = max(1, connectionsPerHost)
        self.idleConnections = max(1, idleConnections)
    }
}
