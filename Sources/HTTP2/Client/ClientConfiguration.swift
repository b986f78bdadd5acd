// Where a client connects to, and how patient it is.

/// Whom to connect to over TLS, and whom to believe.
public struct TLSClientConfiguration: Sendable, Hashable {
    /// The authorities that may vouch for the peer.
    public var trust: TLSTrust
    /// The name, or IP address, that the peer's certificate has to carry.
    public var serverName: String

    /// Describes the peer's proof.
    public init(trust: TLSTrust = .system, serverName: String) {
        self.trust = trust
        self.serverName = serverName
    }
}

/// Where a client connects to, and its limits.
public struct ClientConfiguration: Sendable, Hashable {
    /// A name or an IP address; looked up anew for each connection.
    public var host: String
    /// The TCP port.
    public var port: Int
    /// Proof that is asked of the peer.
    public var tls: TLSClientConfiguration
    /// From the look-up to the end of the handshake.
    public var connectTimeout: Duration = .seconds(5)
    /// From submission to the whole answer; then the stream is cancelled.
    public var requestTimeout: Duration = .seconds(8)
    /// Silence after which the peer is asked for a sign of life.
    public var pingAfterIdle: Duration = .seconds(60)
    /// Time that the peer has to answer a PING, and during traffic the longest silence.
    public var pingTimeout: Duration = .seconds(10)
    /// Streams that are opened at most, whatever the peer allows: more gains nothing (http2 figures: 500 suffice).
    public var streamsMax = 1_000

    /// Describes a peer with the usual patience.
    public init(host: String, port: Int, tls: TLSClientConfiguration) {
        self.host = host
        self.port = port
        self.tls = tls
    }
}
