// The failures of a transfer; callers wait, retry or fail by kind and not by text.

/// The reason why there is no reply; a reply with any HTTP status is no failure, except for streams.
public enum TransferError: Error, Sendable, Hashable {
    /// The request itself cannot be sent; names the field.
    case badRequest(field: String)
    /// The policy does not permit the host, its scheme or its port.
    case hostNotAllowed
    /// The host is, or resolved to, a loopback, private or otherwise internal address.
    case addressNotAllowed
    /// The name did not resolve.
    case nameNotFound
    /// No connection: refused, unreachable, or closed before an answer.
    case connection
    /// The peer's certificate is not valid, or TLS could not be negotiated.
    case tls
    /// The deadline passed, or a stream was silent for too long.
    case deadline
    /// The body or the headers were longer than permitted.
    case tooLarge
    /// The connection ended before the end of the body.
    case truncated
    /// The reply is no valid HTTP.
    case badReply
    /// Text was required, and the reply has another content type.
    case notText
    /// A stream's reply had another status than 2xx.
    case status(Int, retryAfter: Duration?)
    /// The driver already has its maximum of transfers.
    case tooMany
    /// The caller's task was cancelled.
    case cancelled
    /// The driver was stopped.
    case stopped
    /// Another failure of libcurl, by its code.
    case other(code: UInt32)
}
