// How much one driver carries at once; simulated phones need far more than feeds.

/// The limits of a driver.
public struct TransferBounds: Sendable, Hashable {
    /// Transfers under way or waiting for a connection; one more is refused.
    public let transfers: Int
    /// Connections to one host at once; a transfer beyond waits, within its deadline.
    public let connectionsPerHost: Int
    /// Idle connections that are kept open.
    public let idleConnections: Int

    /// Sets the limits; the defaults are those of a node that polls a few feeds.
    public init(transfers: Int = 1_024, connectionsPerHost: Int = 16, idleConnections: Int = 32) {
        self.transfers = max(1, transfers)
        self.connectionsPerHost = max(1, connectionsPerHost)
        self.idleConnections = max(1, idleConnections)
    }
}
