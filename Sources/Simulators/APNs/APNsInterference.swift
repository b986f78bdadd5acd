// APNs fails at times; these faults test how a dispatcher handles that.

/// A fault that replaces or delays the answer to a request.
public enum APNsInterference: Sendable, Hashable {
    /// This status with this reason, such as 503 `ServiceUnavailable`; both extras are in seconds and milliseconds.
    case answer(status: Int, reason: String, retryAfter: Int? = nil, deadSince: Int64? = nil)
    /// This status with a body that is no answer of Apple's.
    case garble(status: Int, body: [UInt8])
    /// Not processed, and never answered.
    case silence
    /// Processed by the rules, but the answer is lost.
    case silenceAfter
    /// Served by the rules, but the answer leaves only after this time.
    case delay(Duration)
    /// Served by the rules and answered at once, but it reaches the phones only after this time.
    ///
    /// Apple promises no order, neither of two pushes to a token nor of two broadcasts: a later one overtakes it.
    case deliverLater(Duration)
    /// RST_STREAM with REFUSED_STREAM: not processed.
    case refuse
    /// GOAWAY: this request and later ones on its connection are not processed.
    case goAway
    /// The connection is cut after the request was read; it is not processed.
    case cut
    /// The request is processed by the rules, then the connection is cut before the answer.
    case cutAfter
    /// The connection may have this many streams from now on; the request itself is served by the rules.
    case limitStreams(Int)
}

/// A request as a rule of interference sees it.
public struct APNsArrival: Sendable {
    /// Counted from 1 over all connections.
    public let number: UInt64
    /// Counts the connections from 1, in the order in which they were accepted.
    public let connection: UInt64
    /// Whether it is for a channel.
    public let isBroadcast: Bool
    /// The channel or the token's bytes.
    public let recipient: [UInt8]
    /// `apns-priority`, 10 when it was left out.
    public let priority: Int
    /// Whether its payload has an alert that is not passive.
    public let hasAlert: Bool
    /// The content state's revision.
    public let revision: Int64?
}
