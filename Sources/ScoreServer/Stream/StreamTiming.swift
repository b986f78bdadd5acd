// The times of a stream are one value, so that a test can shorten them.

/// The times of a stream; ``ServerLimits`` explains each.
struct StreamTiming: Sendable, Hashable {
    var heartbeat: Duration = ServerLimits.streamHeartbeat
    var maxAge: Duration = ServerLimits.streamAge
    var writeDeadline: Duration = ServerLimits.streamWriteDeadline
    var lingerAfterEnd: Duration = ServerLimits.streamLinger
    var acknowledgement: Duration = ServerLimits.streamAcknowledgement
    var tick: Duration = ServerLimits.streamTick
}

/// Most open streams: of this node, of one device, and of one address without a credential; and most unsent bytes.
struct StreamCaps: Sendable, Hashable {
    var node = 50_000
    var device = 3
    var address = 20
    /// Bytes that wait for the readers of all streams of this node.
    var unsentBytes = ServerLimits.unsentStreamBytes
}
