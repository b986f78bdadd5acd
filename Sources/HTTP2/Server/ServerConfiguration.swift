// Everything that can be chosen for a server, with its bounds.

/// Where a server listens, who it is, and what it grants its clients.
public struct ServerConfiguration: Sendable {
    /// IP address to listen on.
    public var host: String = "127.0.0.1"
    /// TCP port; 0 lets the system choose a free one.
    public var port: UInt16 = 0
    /// Certificate and key.
    public var identity: TLSIdentity
    /// Streams that a client may have open at once; can be changed for each connection later.
    public var maxConcurrentStreams: Int = 1000
    /// Bytes that a client may send on one stream ahead of our reading.
    public var streamWindow: Int = 65_535
    /// Bytes that a client may send on all streams ahead of our reading.
    public var connectionWindow: Int = 1_048_576
    /// Largest header block of a request, in bytes; a larger one resets the stream.
    public var headersMax: Int = 16_384
    /// Largest request body kept, in bytes; a longer one is handed over cut off, see `ServerRequest.isBodyTruncated`.
    public var bodyMax: Int = 65_536
    /// Connections at once; more are closed as soon as they were accepted.
    public var connectionsMax: Int = 4096
    /// Longest time from TCP to the end of the TLS handshake.
    public var handshakeTimeout: Duration = .seconds(10)
    /// A connection without a byte from its client for this long is closed.
    public var idleTimeout: Duration = .seconds(7200)

    /// Names the identity; all else can be changed afterwards.
    public init(identity: TLSIdentity) { self.identity = identity }
}
