// The owner of a client connection hears of answers and failures here, on the loop's thread.

/// What became of a request that was not answered.
public enum StreamFailure: Error, Sendable, Hashable {
    /// The peer did not process it, or nothing of it left: it may be sent again without harm.
    case refused
    /// Bytes went out and no answer came: the peer may have processed it.
    case ambiguous
    /// No answer within `requestTimeout`; the peer may have processed it, too.
    case timeout
}

/// Why a connection ended.
public enum ConnectionEnd: Error, Sendable, Hashable {
    /// We closed it.
    case closed
    /// The host's name has no address; the text is the resolver's.
    case unresolved(String)
    /// No address accepted the connection; the text is the system's for the last one.
    case unreachable(String)
    /// TLS failed: an untrusted certificate, another name, no h2.
    case insecure(String)
    /// Not open within `connectTimeout`.
    case connectTimeout
    /// The peer closed it, or the network did.
    case lost(String)
    /// The peer announced the end with GOAWAY and all streams are done; code and debug text are the peer's.
    case goneAway(code: UInt32, debug: String)
    /// The peer answered neither requests nor PING.
    case silent
    /// The peer broke HTTP/2's rules.
    case violation(String)
}

/// The owner of client connections; confined to their loop like them.
public protocol ClientDelegate: AnyObject {
    /// TLS is up and the peer's first SETTINGS are known.
    func connectionDidOpen(_ connection: ClientConnection)
    /// Streams may have become free: after SETTINGS and after each batch of answers and failures.
    func connectionHasCapacity(_ connection: ClientConnection)
    /// A request was answered; headers and body are valid during the call only.
    func connection(
        _ connection: ClientConnection,
        didAnswer tag: UInt64,
        status: Int,
        headers: borrowing ResponseHeaders,
        body: UnsafeRawBufferPointer
    )
    /// A request will not be answered.
    func connection(_ connection: ClientConnection, didFail tag: UInt64, with failure: StreamFailure)
    /// The connection is over; all its requests were answered or failed before.
    func connectionDidClose(_ connection: ClientConnection, reason: ConnectionEnd)
}
