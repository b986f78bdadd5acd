// Answers that are not problems: JSON bytes, and representations that a client may already have.

import HTTPTypes
import Hummingbird
import NIOCore
import ScoreTypes

/// Makes answers.
enum Answer {
    /// Bytes of JSON that only this client may see.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        if headers[.cacheControl] == nil { headers[.cacheControl] = "no-store" }
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// An answer without a body.
    static func empty(_ status: HTTPResponse.Status = .noContent) -> Response {
        Response(status: status, headers: [.cacheControl: "no-store"])
    }

    /// A strong tag of bytes.
    static func tag(of bytes: [UInt8]) -> String { "\"\(Hex.string(SecretDigest(of: bytes).bytes.prefix(8)))\"" }

    /// A representation with a strong tag, or 304 when the client has it.
    static func conditional(
        _ request: Request,
        tag: String,
        cacheControl: String,
        contentType: String = "application/json; charset=utf-8",
        headers: HTTPFields = [:],
        body: @autoclosure () -> ByteBuffer
    ) -> Response {
        var headers = headers
        headers[.eTag] = tag
        headers[.vary] = "Accept-Encoding"
        headers[.cacheControl] = cacheControl
        if holds(request.headers[.ifNoneMatch], tag) { return Response(status: .notModified, headers: headers) }
        headers[.contentType] = contentType
        return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: body()))
    }

    /// Bytes under their own tag, or 304 when the client has them.
    static func conditional(
        _ request: Request,
        _ bytes: [UInt8],
        cacheControl: String,
        contentType: String = "application/json; charset=utf-8"
    ) -> Response {
        conditional(
            request,
            tag: tag(of: bytes),
            cacheControl: cacheControl,
            contentType: contentType,
            body: ByteBuffer(bytes: bytes)
        )
    }

    /// Whether If-None-Match contains a tag (weak comparison, RFC 9110, 13.1.2).
    static func holds(_ header: String?, _ tag: String) -> Bool {
        guard let header else { return false }
        if header == tag || header.hasPrefix("W/") && header.dropFirst(2) == tag { return true }
        return header.split(separator: ",").contains { candidate in
            var candidate = candidate.drop { $0 == " " }
            while candidate.last == " " { candidate.removeLast() }
            if candidate.hasPrefix("W/") { candidate = candidate.dropFirst(2) }
            return candidate == tag || candidate == "*"
        }
    }
}

/// A representation with its tag and headers, made once and sent to many clients.
struct StoredAnswer: Sendable {
    private static let json = HTTPField(name: .contentType, value: "application/json; charset=utf-8")

    /// The strong tag.
    let tag: String
    private let type: HTTPField
    private let headers: HTTPFields
    private let body: ByteBuffer
    /// The form for clients that accept gzip; nil for a small body.
    private let packed: PackedBody?

    /// Prepares text for many clients; JSON unless another type is given.
    init(tag: String, headers: HTTPFields = [:], body: ByteBuffer, type: HTTPField = StoredAnswer.json) {
        var headers = headers
        headers[.eTag] = tag
        headers[.vary] = "Accept-Encoding"
        (self.tag, self.type, self.headers, self.body) = (tag, type, headers, body)
        packed = body.readableBytes > ServerLimits.plainBodyBytes ? PackedBody(headers: headers, tag: tag) : nil
    }

    /// The head and the body for the headers of a request: the representation, or 304 when the client has it.
    func parts(for request: HTTPFields, cacheControl: String) -> (head: HTTPResponse, body: ByteBuffer?) {
        let packed = packed.flatMap { PackedBody.isAccepted(request[.acceptEncoding]) ? $0 : nil }
        var headers = packed?.headers ?? headers
        headers.append(HTTPField(name: .cacheControl, value: cacheControl))
        if Answer.holds(request[.ifNoneMatch], tag) {
            return (HTTPResponse(status: .notModified, headerFields: headers), nil)
        }
        headers.append(type)
        let bytes = packed?.pack(body, &headers) ?? body
        headers.append(HTTPField(name: .contentLength, value: String(bytes.readableBytes)))
        return (HTTPResponse(status: .ok, headerFields: headers), bytes)
    }

    /// The answer to a request.
    func response(to request: Request, cacheControl: String) -> Response {
        let (head, body) = parts(for: request.headers, cacheControl: cacheControl)
        let content = body.map { ResponseBody(byteBuffer: $0) } ?? ResponseBody()
        return Response(status: head.status, headers: head.headerFields, body: content)
    }
}
