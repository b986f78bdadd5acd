// OpenSSL keeps errors in a queue of the thread; this converts them to one sentence.

internal import COpenSSL

/// A TLS set-up or connection error, with OpenSSL's reason.
public struct TLSFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence, without secrets.
    public let description: String

    init(_ description: String) { self.description = description }

    /// Describes the last failure with the newest reason of this thread's error queue, and empties the queue.
    static func last(_ doing: String) -> TLSFailure {
        var reason: String?
        while true {
            let code = ERR_get_error()
            guard code != 0 else { break }
            if let text = ERR_reason_error_string(code) { reason = String(cString: text) }
        }
        return TLSFailure(reason.map { "\(doing): \($0)" } ?? doing)
    }
}
