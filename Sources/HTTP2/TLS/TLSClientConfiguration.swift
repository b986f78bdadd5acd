// Whom a client trusts, and whom it expects at the other end.

/// Which authorities may vouch for a server.
public enum TLSTrust: Sendable, Hashable {
    /// Those of the operating system.
    case system
    /// Only those in this PEM text.
    case certificates(pem: [UInt8])
}

/// TLS as a client wants it: at least 1.2, ALPN h2, a chain to a trusted authority, and the right name.
///
/// None of these can be turned off.
public struct TLSClientConfiguration: Sendable, Hashable {
    /// The authorities that may vouch for the server.
    public let trust: TLSTrust
    /// The host name or IP address that the certificate must stand for; names are also sent as SNI.
    public let serverName: String

    /// Names trust and server.
    public init(trust: TLSTrust = .system, serverName: String) {
        self.trust = trust
        self.serverName = serverName
    }
}
