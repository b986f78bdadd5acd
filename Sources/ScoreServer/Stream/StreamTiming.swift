// The times of a stream are one value, so that a test can shorten them.

/// The times of a stream.
struct StreamTiming: Sendable, Hashable {
    /// Time without an event after which a ping is sent, ±10 % for each connection.
    var heartbeat: Duration = ServerLimits.streamHeartbeat
    /// Age at which a connection ends, ±20 %.
    var maxAge: Duration = ServerLimits.streamAge
    /// Time for one write; then the connection closes as slow.
    var writeDeadline: Duration = ServerLimits.streamWriteDeadline
    /// Time for which a stream stays open after its last `end`.
    var lingerAfterEnd: Duration = ServerLimits.streamLinger
    /// Time between two checks.
    var tick: Duration = ServerLimits.streamTick
}

/// Most open streams: of this node, of one device, and of one address without a credential.
struct StreamCaps: Sendable, Hashable {
    var node = 50_000
    var device = 3
    var address = 20
}
