// The feed over plain HTTP on this machine, with answers that break off, drip, or never end.

internal import HTTP2
import HTTPTypes
public import Hummingbird
import NIOCore
import ScoreTypes

/// Builds the HTTP application of a simulated feed.
public enum SimulatedFeedServer {
    /// Bytes of an endless answer that are sent at a time.
    private static let chunkBytes = 64 * 1024

    /// The application.
    ///
    /// Port 0 stands for a free one; `onListening` is called with the port once the server listens.
    public static func application(
        _ feed: SimulatedFeed,
        host: String,
        port: Int,
        onListening: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol {
        Application(
            responder: CallbackResponder { (request: Request, _: BasicRequestContext) in
                try await answer(request, feed)
            },
            configuration: .init(address: .hostname(host, port: port)),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? port) }
        )
    }

    private static func answer(_ request: Request, _ feed: SimulatedFeed) async throws -> Response {
        let body = try await request.body.collect(upTo: SimulatorLimits.requestBytes)
        var query: [String: String] = [:]
        for (name, value) in request.uri.queryParameters { query[String(name)] = String(value) }
        let asked = ShapeRequest(
            method: request.method.rawValue,
            path: request.uri.path,
            query: query,
            headers: Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { first, _ in first },
            body: Array(buffer: body)
        )
        var served = feed.answer(asked)
        for index in served.headers.indices where served.headers[index].name == "location" {
            // A loop leads back to where it came from.
            if served.headers[index].value.isEmpty { served.headers[index].value = request.uri.string }
        }
        if served.status == 200, served.ending == .proper, served.pace == .prompt {
            let tag = "\"\(String(FNV1a.hash(served.body), radix: 16))\""
            if request.headers[.ifNoneMatch] == tag { return Response(status: .notModified, headers: [.eTag: tag]) }
            served.headers.append(("etag", tag))
        }
        return response(served)
    }

    private static func response(_ served: ServedAnswer) -> Response {
        var headers = HTTPFields()
        headers[.cacheControl] = "no-cache"
        for (name, value) in served.headers {
            if let field = HTTPField.Name(name) { headers[field] = value }
        }
        let response = {
            (length: Int?, write: @escaping @Sendable (inout any ResponseBodyWriter) async throws -> Void) in
            Response(
                status: .init(code: served.status),
                headers: headers,
                body: ResponseBody(contentLength: length, write)
            )
        }
        let body = served.body
        let pace = served.pace
        switch served.ending {
        case .proper:
            return response(body.count) { try await send(body[...], pace, &$0) }
        case .cutOff(let count):
            return response(max(body.count, count + 1)) { writer in
                try await send(body.prefix(count), pace, &writer)
                throw BrokenOff()
            }
        case .declares(let length):
            return response(length) { writer in
                try await send(body.prefix(length), pace, &writer)
                if length > body.count { throw BrokenOff() }
            }
        case .endless:
            return response(nil) { writer in
                let chunk = ByteBuffer(repeating: UInt8(ascii: " "), count: chunkBytes)
                for _ in 0..<ServedAnswer.endlessBytes / chunkBytes { try await writer.write(chunk) }
                try await writer.finish(nil)
            }
        }
    }

    private static func send(
        _ body: ArraySlice<UInt8>,
        _ pace: ServedAnswer.Pace,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        switch pace {
        case .prompt: try await writer.write(ByteBuffer(bytes: body))
        case .slowStart(let wait):
            try await Task.sleep(for: wait)
            try await writer.write(ByteBuffer(bytes: body))
        case .drip:
            for byte in body {
                try await writer.write(ByteBuffer(bytes: [byte]))
                try await Task.sleep(for: .seconds(1))
            }
        }
        try await writer.finish(nil)
    }

    /// Ends an answer in the middle: the connection is closed.
    private struct BrokenOff: Error {}
}
