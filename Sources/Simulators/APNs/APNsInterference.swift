// Apple has bad days, too: a simulator that only ever obeys would prove half of a dispatcher.

/// What happens to a request instead of what the rules say.
public enum APNsInterference: Sendable, Hashable {
    /// This status with this reason, such as 503 `ServiceUnavailable`.
    case answer(status: Int, reason: String)
    /// No answer ever.
    case silence
    /// RST_STREAM with REFUSED_STREAM: not processed.
    case refuse
    /// GOAWAY: this request and later ones on its connection are not processed.
    case goAway
    /// The connection is cut after the request was read, before an answer.
    case cut
    /// The connection may have this many streams from now on; the request itself is served by the rules.
    case limitStreams(Int)
}
