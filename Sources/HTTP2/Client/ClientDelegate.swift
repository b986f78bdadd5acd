// The events of a client connection, delivered to its owner on the loop's thread.

/// Why a request got no response.
public enum StreamFailure: Error, Sendable, Hashable {
    /// The peer did not process the request, or its end was not sent: it is safe to repeat.
    ///
    /// The peer is taken to process whole requests only, as APNs does.
    case refused
    /// Bytes were sent and no response came: the peer may have processed the request.
    case ambiguous
    /// No response within `requestTimeout`; the peer may have processed the request.
    case timeout
    /// No response within `requestTimeout`, and the end of the request was not sent: it is safe to repeat.
    case unsentTimeout
}

/// Why a connection ended.
public enum ConnectionEnd: Error, Sendable, Hashable {
    /// The client closed it.
    case closed
    /// The host name has no address; the text is the resolver's.
    case unresolved(String)
    /// No address accepted the connection; the text is the system's error for the last one.
    case unreachable(String)
    /// TLS failed: untrusted certificate, wrong name, or no h2.
    case insecure(String)
    /// Not open within `connectTimeout`.
    case connectTimeout
    /// The peer or the network closed it.
    case lost(String)
    /// The peer sent GOAWAY and all streams are closed; code and debug text are the peer's.
    case goneAway(code: UInt32, debug: String)
    /// The peer answered neither requests nor PING.
    case silent
    /// The peer violated HTTP/2.
    case violation(String)
}

/// The owner of one client connection, confined to its loop.
public protocol ClientDelegate: AnyObject {
    /// TLS is up and the peer's first SETTINGS are known.
    func connectionDidOpen()
    /// Streams may have become free: after SETTINGS and after each batch of responses and failures.
    func connectionHasCapacity()
    /// A request was answered; headers and body are valid during the call only.
    func connectionAnswered(
        _ tag: UInt64,
        status: Int,
        headers: borrowing ResponseHeaders,
        body: UnsafeRawBufferPointer
    )
    /// A request failed and gets no response.
    func connectionFailed(_ tag: UInt64, _ failure: StreamFailure)
    /// The connection is closed; each of its requests was answered or failed before.
    func connectionDidClose(_ reason: ConnectionEnd)
}
