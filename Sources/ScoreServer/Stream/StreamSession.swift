// Writes one stream from its opening to its end.

import Hummingbird
import Metrics
import NIOCore
import ScoreTypes
import ServiceLifecycle

/// The writing side of one connection.
struct StreamSession: Sendable {
    let subscriber: StreamSubscriber
    /// Keeps the stream counted as open while the session lives.
    let registration: StreamRegistration
    /// Padding, retry, hello and the states that the client lacks.
    let opening: [ByteBuffer]
    let metrics: StreamMetrics
    let clock: ServiceClock

    /// The body of the answer.
    func body(of request: Request) -> ResponseBody {
        ResponseBody { writer in
            let end: StreamEnd
            do {
                end = try await withGracefulShutdownHandler {
                    try await request.body.consumeWithInboundCloseHandler { _ in
                        try await write(to: &writer)
                    } onInboundClosed: {
                        subscriber.close(.client)
                    }
                } onGracefulShutdown: {
                    subscriber.close(.draining, reconnectAfter: .milliseconds(Int64.random(in: 100...2_000)))
                }
            } catch {
                // A reader that is cut off during a write has a reason before its write fails.
                metrics.closed(subscriber.endReason ?? .writeError)
                throw error
            }
            metrics.closed(end)
            try await writer.finish(nil)
        }
    }

    private func write(to writer: inout any ResponseBodyWriter) async throws -> StreamEnd {
        try await send(opening, to: &writer)
        while true {
            let delivery = await subscriber.next()
            try await send(delivery.buffers, to: &writer)
            if delivery.frameCount > 0 { metrics.frames.increment(by: delivery.frameCount) }
            if let end = delivery.end { return end }
        }
    }

    private func send(_ buffers: [ByteBuffer], to writer: inout any ResponseBodyWriter) async throws {
        guard !buffers.isEmpty else { return }
        subscriber.writing(true, now: clock.monotonic)
        try await writer.write(contentsOf: buffers)
        subscriber.writing(false, now: clock.monotonic)
        metrics.bytes.increment(by: buffers.reduce(0) { $0 + $1.readableBytes })
    }
}
