// Answers reads from memory on the event loop of their connection, before a task sees them.

import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Takes the requests that ``MemoryReads`` answers; the others go on to Hummingbird.
final class MemoryReadHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    private typealias Answer = (head: HTTPResponse, body: ByteBuffer?, isLast: Bool)

    private let reads: MemoryReads
    /// Requests that Hummingbird has not answered; the answers of a connection keep the order of its requests.
    private var unanswered = 0
    /// The answer to the request whose end has not arrived.
    private var answer: Answer?
    private var hasWritten = false

    init(_ reads: MemoryReads) { self.reads = reads }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let request):
            let connection = request.headerFields[.connection]
            let isLast = connection == "close"
            // URLSession sends keep-alive, which HTTP/1.1 implies. A client that does not read its answers is left to
            // Hummingbird, which waits until it does.
            if unanswered == 0, context.channel.isWritable, isLast || connection == nil || connection == "keep-alive",
                let answer = reads.answer(request, from: context.remoteAddress)
            {
                self.answer = (answer.head, answer.body, isLast)
                return
            }
            unanswered += 1
        case .body: break
        case .end:
            if let answer {
                self.answer = nil
                return send(answer, context)
            }
        }
        context.fireChannelRead(data)
    }

    private func send(_ answer: Answer, _ context: ChannelHandlerContext) {
        context.write(wrapOutboundOut(.head(answer.head)), promise: nil)
        if let body = answer.body { context.write(wrapOutboundOut(.body(body)), promise: nil) }
        context.write(wrapOutboundOut(.end(nil)), promise: nil)
        hasWritten = true
        guard answer.isLast else { return }
        context.flush()
        context.close(mode: .output, promise: nil)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        if hasWritten {
            hasWritten = false
            // The answers of one turn of the loop leave together, since each flush may wake a client's process.
            context.eventLoop.assumeIsolated().execute { context.flush() }
        }
        context.fireChannelReadComplete()
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .end = unwrapOutboundIn(data) { unanswered -= 1 }
        context.write(data, promise: promise)
    }
}
