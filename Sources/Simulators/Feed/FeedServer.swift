// The feed over plain HTTP on loopback, with the conditional requests that a polite poller makes.

import HTTPTypes
public import Hummingbird
import ScoreTypes

/// Builds the HTTP application of a feed simulator.
public enum FeedServer {
    /// The application that serves `/matches` and `/matches/{id}`.
    public static func application(
        _ feed: FeedSimulator,
        host: String,
        port: Int,
        onListening: @escaping @Sendable (Int) async -> Void
    ) -> some ApplicationProtocol {
        let router = Router()
        router.get("/matches") { _, _ in json(feed.fixtures()) }
        router.get("/matches/:id") { request, context in
            guard context.parameters.get("id") == feed.match.text else { throw HTTPError(.notFound) }
            let reply = feed.reply()
            let tag = "\"\(reply.version)\""
            if request.headers[.ifNoneMatch] == tag {
                return Response(status: .notModified, headers: [.eTag: tag])
            }
            var response = json(reply.body)
            response.headers[.eTag] = tag
            return response
        }
        return Application(
            router: router,
            configuration: .init(address: .hostname(host, port: port)),
            onServerRunning: { channel in await onListening(channel.localAddress?.port ?? port) }
        )
    }

    private static func json(_ bytes: [UInt8]) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-cache"],
            body: .init(byteBuffer: .init(bytes: bytes))
        )
    }
}
