// The settings and bounds of an HTTP/2 server.

/// Address, identity and bounds of a server.
public struct HTTP2ServerConfiguration: Sendable {
    /// IP address to listen on.
    public var host: String = "127.0.0.1"
    /// TCP port; 0 selects a free one.
    public var port: UInt16 = 0
    /// Certificate and key.
    public var identity: TLSIdentity
    /// Streams that a client may open at once; can be changed for each connection later.
    public var maxConcurrentStreams: Int = HTTP2Limits.serverStreams
    /// Bytes that a client may send ahead on all streams.
    public var connectionWindow: Int = HTTP2Limits.serverWindowBytes
    /// Whether clients may send more once their bytes are read; without it they wait at the end of the window.
    public var extendsWindows = true
    /// Bytes of a request's header block; a larger one resets the stream.
    public var headersMax: Int = HTTP2Limits.requestHeaderBytes
    /// Bytes of a request body that are kept; a longer one is truncated, see `ServerRequest.isBodyTruncated`.
    public var bodyMax: Int = HTTP2Limits.requestBodyBytes
    /// Connections at once; further ones are closed as soon as they are accepted.
    public var connectionsMax: Int = HTTP2Limits.serverConnections
    /// Time without a byte from the client; then the connection is closed.
    public var idleTimeout: Duration = HTTP2Limits.idleTimeout

    /// Makes a configuration with the default values.
    public init(identity: TLSIdentity) { self.identity = identity }
}
