// Puts our limits of connections before the handlers of Hummingbird.

import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1

/// Hummingbird's HTTP/1.1 connection behind a ``ConnectionHandler``.
struct GuardedHTTPChannel: ServerChildChannel {
    let base: HTTP1Channel
    let connections: ConnectionTable

    func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<HTTP1Channel.Value> {
        base.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.context(handlerType: ByteToMessageHandler<HTTPRequestDecoder>.self).handler
            try pipeline.addHandler(ConnectionHandler(connections), position: .after(decoder))
            try pipeline.addHandler(RequestFramingHandler(), position: .after(decoder))
            return value
        }
    }

    func handle(value: HTTP1Channel.Value, logger: Logger) async { await base.handle(value: value, logger: logger) }
}
