// One id identifies a request in answers, logs and the audit log; a client may provide it.

/// The id of a request: 8 to 64 of `A-Z a-z 0-9 -`.
struct RequestIdentifier: Sendable, Hashable, CustomStringConvertible {
    let text: String

    /// Uses the client's id when it is valid, else a random one.
    init(accepting header: String?) {
        if let header, (8...64).contains(header.utf8.count), header.utf8.allSatisfy(Self.isAllowed) {
            text = header
        } else {
            text = String(UInt64.random(in: (1 << 60)...UInt64.max), radix: 16)
        }
    }

    var description: String { text }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch Unicode.Scalar(byte) {
        case "A"..."Z", "a"..."z", "0"..."9", "-": true
        default: false
        }
    }
}
