// What can go wrong with certificates and handshakes, by kind and not by OpenSSL's text.

/// Why there is no TLS.
public enum TLSError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The PEM text holds no certificate or no key that can be used.
    case badIdentity(field: String)
    /// OpenSSL refused its own set-up.
    case setUp
    /// The peer's certificate is not trusted or names another host.
    case untrusted(reason: String)
    /// The peer does not speak HTTP/2.
    case noHTTP2
    /// The handshake broke off.
    case handshake(reason: String)

    /// One sentence.
    public var description: String {
        switch self {
        case .badIdentity(let field): "The \(field) cannot be read; expected PEM."
        case .setUp: "OpenSSL could not be set up."
        case .untrusted(let reason): "The peer's certificate is not trusted: \(reason)."
        case .noHTTP2: "The peer does not offer HTTP/2."
        case .handshake(let reason): "The TLS handshake failed: \(reason)."
        }
    }
}
