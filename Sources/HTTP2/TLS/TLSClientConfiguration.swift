// The authorities that a client trusts, and the server name that it expects.

/// The authorities that may sign a server's certificate.
public enum TLSTrust: Sendable, Hashable {
    /// Those of the operating system.
    case system
    /// Only those in this PEM text.
    case certificates(pem: [UInt8])
}

/// A client's TLS settings.
///
/// TLS 1.2 or newer, ALPN h2, a trusted chain and a matching name are always required.
public struct TLSClientConfiguration: Sendable, Hashable {
    /// The authorities that may sign the server's certificate.
    public let trust: TLSTrust
    /// The host name or IP address that the certificate must contain; names are also sent as SNI.
    public let serverName: String

    /// Makes the settings.
    ///
    /// - Parameters:
    ///   - trust: The authorities that may sign the server's certificate.
    ///   - serverName: Host name or IP address that the certificate must contain.
    public init(trust: TLSTrust = .system, serverName: String) {
        self.trust = trust
        self.serverName = serverName
    }
}
