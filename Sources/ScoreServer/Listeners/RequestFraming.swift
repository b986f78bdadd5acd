// A proxy and this server must read one request where one was sent, so a head that allows two readings is refused.

import NIOHTTP1

/// The reason why the framing or the target of a request is not clear.
enum RequestFramingFault: Sendable, Hashable {
    /// There is not exactly one valid Host field (RFC 9112, 3.2).
    case host
    /// The transfer coding gives the body no certain end (RFC 9112, 6.1 and 6.3).
    case transferEncoding
    /// The body ends with a chunk and is coded in a way that this server does not know (RFC 9112, 6.1).
    case unknownCoding
    /// The bytes are not HTTP/1.1.
    case malformed

    /// The fault of a head; nil for a clear one.
    init?(of head: HTTPRequestHead) {
        let isFirstVersion = head.version.major == 1 && head.version.minor == 0
        var (hosts, codings, hasLength) = (0, [Substring](), false)
        for (name, value) in head.headers {
            switch name.utf8.count {
            case 4 where Self.isEqual(name, "host"):
                hosts += 1
                guard value.utf8.allSatisfy(Self.isOfHost) else {
                    self = .host
                    return
                }
            case 14 where Self.isEqual(name, "content-length"): hasLength = true
            case 17 where Self.isEqual(name, "transfer-encoding"):
                codings += value.split(separator: ",", omittingEmptySubsequences: false)
            default: break
            }
        }
        // HTTP/1.0 requires no Host.
        guard hosts == 1 || hosts == 0 && isFirstVersion else {
            self = .host
            return
        }
        if codings.isEmpty { return nil }
        let names = codings.map { coding in coding.filter { $0 != " " && $0 != "\t" }.lowercased() }
        let isFramed = names.last == "chunked" && !names.dropLast().contains("chunked")
        guard isFramed, !hasLength, !isFirstVersion else {
            self = .transferEncoding
            return
        }
        guard names.count > 1 else { return nil }
        self = .unknownCoding
    }

    /// The answer.
    var problem: ServiceProblem {
        switch self {
        case .host: .invalid("Host", "expected exactly one host, as in RFC 9112, section 3.2")
        case .transferEncoding:
            .invalid("Transfer-Encoding", "expected chunked, once, without Content-Length and in HTTP/1.1")
        case .unknownCoding:
            ServiceProblem(.notImplemented, "The server knows no transfer coding but chunked.")
        case .malformed: .invalid("", "expected a request of HTTP/1.1")
        }
    }

    private static func isEqual(_ name: String, _ small: StaticString) -> Bool {
        // 0x20 turns capitals into small letters; no other byte of a field name becomes one of these letters.
        small.withUTF8Buffer { small in zip(name.utf8, small).allSatisfy { $0 | 0x20 == $1 } }
    }

    /// Whether a byte may be part of a host and its port (RFC 3986, 3.2.2).
    private static func isOfHost(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~%!$&'()*+,;=:[]".utf8.contains(byte)
        }
    }
}
