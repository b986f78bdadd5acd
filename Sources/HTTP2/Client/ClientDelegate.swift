// What the owner of a client connection is told, always on the loop's thread.

/// Why a request has no answer.
public enum StreamFailure: Sendable, Hashable {
    /// The peer has not processed it, for certain: it may be sent again elsewhere.
    case refused
    /// Bytes went out and no answer came: it may have been processed.
    case ambiguous
    /// No answer within the request's time; like `ambiguous`, but the connection may live on.
    case timeout
}

/// The owner of a connection; confined to the loop.
public protocol ClientDelegate: AnyObject {
    /// The peer's settings are known; requests may be submitted.
    func connectionDidOpen(_ connection: ClientConnection)
    /// Streams may be free: after each answer and each change of the peer's limit.
    func connectionHasCapacity(_ connection: ClientConnection)
    /// A whole answer; headers and body are valid during the call only.
    func connection(
        _ connection: ClientConnection,
        didAnswer tag: UInt64,
        status: Int,
        headers: borrowing ResponseHeaders,
        body: UnsafeRawBufferPointer
    )
    /// A request has no answer.
    func connection(_ connection: ClientConnection, didFail tag: UInt64, with failure: StreamFailure)
    /// The connection is over; all its requests were answered or failed before.
    func connectionDidClose(_ connection: ClientConnection, reason: ConnectionEnd)
}
