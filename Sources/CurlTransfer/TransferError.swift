// Every way in which a transfer can fail, so that callers wait, retry or give up by kind and not by text.

/// Why there is no reply; a reply with any HTTP status is none of these, except for streams.
public enum TransferError: Error, Sendable, Hashable {
    /// The request itself cannot be sent; names the field.
    case badRequest(field: String)
    /// The host, its scheme or its port is not one that may be spoken to.
    case hostNotAllowed
    /// The name resolved to a loopback, private or otherwise internal address.
    case addressNotAllowed
    /// The name did not resolve.
    case nameNotFound
    /// No connection: refused, unreachable, or closed before an answer.
    case connection
    /// The peer could not prove who it is, or spoke no acceptable TLS.
    case tls
    /// The deadline passed, or a stream was silent for too long.
    case deadline
    /// The body or the headers were longer than allowed.
    case tooLarge
    /// The body ended before its end.
    case truncated
    /// The bytes that came are no HTTP.
    case badReply
    /// Text was wanted, and the reply calls itself something else.
    case notText
    /// A stream was answered with another status than 2xx.
    case status(Int, retryAfter: Duration?)
    /// The driver already carries as many transfers as it may.
    case tooMany
    /// The caller's task was cancelled.
    case cancelled
    /// The driver was stopped.
    case stopped
    /// libcurl failed in a way of its own, by its code.
    case other(code: UInt32)
}
