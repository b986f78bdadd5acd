// The times and numbers of a connection are one value, so that a test can shorten them.

import NIOCore

/// The bounds of one connection; ``ServerLimits`` explains each.
struct ConnectionLimits: Sendable, Hashable {
    var head: TimeAmount = ServerLimits.requestHeadTime
    var body: TimeAmount = ServerLimits.requestBodyTime
    var idle: TimeAmount = ServerLimits.connectionIdle
    var output: TimeAmount = ServerLimits.unreadOutputTime
    var outputBytes = ServerLimits.unreadOutputBytes
    var linger: TimeAmount = ServerLimits.connectionLinger
    var lingerBytes = ServerLimits.connectionLingerBytes
    var drain: TimeAmount = ServerLimits.connectionDrain
    var check: TimeAmount = ServerLimits.connectionCheck
    var requests = ServerLimits.requestsPerConnection
    var pipelined = ServerLimits.pipelinedRequests
}

/// Most open connections of a listener: in all, and from one address that is no trusted proxy.
struct ConnectionCaps: Sendable, Hashable {
    var node = 60_000
    var address = 1_000
}

/// The reasons why a connection ends.
enum ClosingReason: String, Sendable, Hashable, CaseIterable {
    /// The client closed it, or sent `Connection: close`.
    case client
    /// No head of a request arrived in time.
    case head
    /// The body of a request did not arrive in time.
    case body
    /// No request followed for a while.
    case idle
    /// The client read too little of its answers.
    case output
    /// Too many requests waited for their answers.
    case pipelining
    /// The connection had its number of requests.
    case requests
    /// The answer refused the path, or a body that had not arrived.
    case rejected
    /// The bytes were not HTTP.
    case malformed
    /// The address had too many connections.
    case address
    /// The node had too many connections.
    case node
    /// A stream, which has limits of its own, took the socket.
    case stream
    /// The node shut down.
    case shutdown
}
