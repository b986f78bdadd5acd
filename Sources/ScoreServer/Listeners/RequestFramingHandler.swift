// Stands behind the HTTP decoder and lets no byte pass that follows a head with two readings.

import NIOCore
import NIOHTTP1

/// Refuses requests whose framing is not clear, in the order of the requests, and ends their connection.
///
/// An error in the pipeline makes Hummingbird answer all earlier requests, then this one with 400, and close.
final class RequestFramingHandler: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    private var isBroken = false

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isBroken else { return }
        if case .head(let head) = unwrapInboundIn(data), let fault = RequestFramingFault(of: head) {
            refuse(fault, context)
            return context.fireErrorCaught(HTTPParserError.unknown)
        }
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if error is HTTPParserError, !isBroken { refuse(.malformed, context) }
        context.fireErrorCaught(error)
    }

    private func refuse(_ fault: RequestFramingFault, _ context: ChannelHandlerContext) {
        isBroken = true
        let answer = FramingAnswerHandler(fault.problem)
        // A pipeline that refuses a handler is closed, and no answer reaches it.
        try? context.pipeline.syncOperations.addHandler(answer, position: .before(self))
    }
}

/// Gives the refusal of a broken request its status and body, which Hummingbird's has not.
private final class FramingAnswerHandler: ChannelOutboundHandler, RemovableChannelHandler {
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let problem: ServiceProblem

    init(_ problem: ServiceProblem) { self.problem = problem }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        // Every 400 of a route has a body.
        guard case .head(let head) = unwrapOutboundIn(data), head.status == .badRequest,
            head.headers["Content-Length"] == ["0"]
        else { return context.write(data, promise: promise) }
        let (refusal, body) = problem.refusal(of: RequestMiddleware.randomIdentifier())
        context.write(wrapOutboundOut(.head(refusal)), promise: promise)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
    }
}

extension ServiceProblem {
    /// The head and the body of an answer that no route gives, and that ends its connection.
    func refusal(of id: String) -> (head: HTTPResponseHead, body: ByteBuffer) {
        let body = ByteBuffer(bytes: bytes(instance: id))
        var fields: HTTPHeaders = [
            "Connection": "close", "Content-Length": "\(body.readableBytes)",
            "Content-Type": "application/problem+json",
            "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Request-Id": id,
        ]
        if let retryAfter { fields.add(name: "Retry-After", value: "\(retryAfter.secondsRoundedUp)") }
        return (HTTPResponseHead(version: .http1_1, status: .init(statusCode: status), headers: fields), body)
    }
}
