// What a server offers; it is made for tests and simulators, so it listens where it is told and nowhere else.

/// Where a server listens, and its limits.
public struct ServerConfiguration: Sendable {
    /// The address; an IP literal.
    public var host: String
    /// The TCP port; 0 lets the system choose.
    public var port: Int
    /// The certificate that it shows.
    public var identity: TLSIdentity
    /// Streams that each client may open at once, as the first SETTINGS say.
    public var maxConcurrentStreams: Int
    /// Longest request body in bytes; a longer one is cut off by a reset.
    public var bodyBytesMax: Int

    /// Describes a server.
    public init(
        host: String = "127.0.0.1",
        port: Int = 0,
        identity: TLSIdentity,
        maxConcurrentStreams: Int = 1_000,
        bodyBytesMax: Int = 64 * 1024
    ) {
        self.host = host
        self.port = port
        self.identity = identity
        self.maxConcurrentStreams = maxConcurrentStreams
        self.bodyBytesMax = bodyBytesMax
    }
}

/// A whole request.
public struct ServerRequest {
    /// `POST` and the like.
    public let method: String
    /// The path as it came.
    public let path: String
    /// All other headers.
    public let headers: HeaderBlock
    /// The body; valid as long as it is kept.
    public let body: [UInt8]
    /// Answers it.
    public let stream: ServerStream
}

/// The owner of a server; confined to the loop.
public protocol ServerDelegate: AnyObject {
    /// A request is complete; answer now or later, on the loop.
    func server(didReceive request: ServerRequest)
    /// A client is connected and has its settings.
    func server(didOpen connection: ServerConnection)
    /// A client is gone.
    func server(didClose connection: ServerConnection)
}

extension ServerDelegate {
    /// Does nothing.
    public func server(didOpen connection: ServerConnection) {}
    /// Does nothing.
    public func server(didClose connection: ServerConnection) {}
}
