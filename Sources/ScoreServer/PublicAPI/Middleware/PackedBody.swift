// Compression costs many times what a read costs, so a body is packed once for all clients, when the first wants it.

import HTTPTypes
import NIOCore
import Providers

/// The gzip form of a stored answer.
final class PackedBody: Sendable {
    private static let gzip = HTTPField(name: .contentEncoding, value: "gzip")

    /// The headers of the answer under a weak tag, since the bytes differ from the plain ones (RFC 9110, 8.8.1).
    let headers: HTTPFields
    private let bytes = LazyValue<ByteBuffer?>()

    /// Takes the headers and the strong tag of the plain form.
    init(headers: HTTPFields, tag: String) {
        var headers = headers
        headers[.eTag] = "W/\(tag)"
        self.headers = headers
    }

    /// The bytes of a body, packed at the first call, and their coding; the plain bytes when memory ran out.
    func pack(_ body: ByteBuffer, _ headers: inout HTTPFields) -> ByteBuffer {
        let packed = bytes.value { Compression.gzip(Array(body.readableBytesView)).map { ByteBuffer(bytes: $0) } }
        guard let packed else { return body }
        headers.append(Self.gzip)
        return packed
    }

    /// Whether Accept-Encoding permits gzip (RFC 9110, 12.5.3).
    static func isAccepted(_ header: String?) -> Bool {
        guard let header else { return false }
        if header == "gzip" || header.hasPrefix("gzip,") { return true }
        var isAnyAccepted = false
        for item in header.split(separator: ",") {
            let parts = item.split(separator: ";").map { part in part.drop { $0 == " " }.lowercased() }
            guard let coding = parts.first.map({ $0.prefix { $0 != " " } }) else { continue }
            // A weight of zero, such as `q=0.0`, refuses the coding.
            let isRefused = parts.dropFirst().contains { part in
                part.hasPrefix("q=0") && part.dropFirst(2).allSatisfy("0. ".contains)
            }
            switch coding {
            case "gzip", "x-gzip": return !isRefused
            case "*": isAnyAccepted = !isRefused
            default: break
            }
        }
        return isAnyAccepted
    }
}
