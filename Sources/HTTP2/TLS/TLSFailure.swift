// OpenSSL keeps its errors in a queue of the thread; here they become one sentence.

internal import COpenSSL

/// Why TLS could not be set up or went wrong; the text names what OpenSSL found.
public struct TLSFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// One sentence, without secrets.
    public let description: String

    init(_ description: String) { self.description = description }

    /// The sentence for what just failed, with the newest reason of this thread's error queue, which is emptied.
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
