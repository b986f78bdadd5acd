// A client that traces its requests finds them in our logs by the id of its trace.

/// The header `traceparent` (W3C Trace Context, section 3.2).
struct TraceParent: Sendable, Hashable {
    /// The trace, 32 digits in lower case.
    let trace: String
    /// The client's span, 16 digits in lower case.
    let span: String

    /// Reads a header; nil when it is malformed, or has a forbidden version or id.
    init?(_ header: String) {
        let parts = header.split(separator: "-", omittingEmptySubsequences: false)
        // Later versions may add parts behind the flags, version 00 has none.
        guard parts.count == 4 || parts.count > 4 && parts[0] != "00",
            zip(parts, [2, 32, 16, 2]).allSatisfy({ Self.isHex($0, count: $1) }),
            parts[0] != "ff", parts[1].contains(where: { $0 != "0" }), parts[2].contains(where: { $0 != "0" })
        else { return nil }
        (trace, span) = (String(parts[1]), String(parts[2]))
    }

    /// The id of a request whose client names no other one.
    var requestID: String { "\(trace)-\(span)" }

    private static func isHex(_ text: Substring, count: Int) -> Bool {
        text.utf8.count == count
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    }
}
