// Stands between the HTTP decoder and Hummingbird, and ends the connections of slow, greedy and broken clients.

import Glibc
import NIOCore
import NIOHTTP1

/// Applies the limits of one connection.
///
/// A stream takes the socket of its connection and closes the channel: the limits end with the head of its answer, and
/// the connection is no longer counted here.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart
    typealias OutboundIn = HTTPServerResponsePart
    typealias OutboundOut = HTTPServerResponsePart

    private let table: ConnectionTable
    private var state: ConnectionState
    private var end = ClosingReason.client
    private var context: ChannelHandlerContext?
    private var connections: LoopConnections?
    private var ticket: ConnectionTicket?

    init(_ table: ConnectionTable) {
        self.table = table
        state = ConnectionState(table.limits, at: .now())
    }

    // MARK: Opening and closing

    func handlerAdded(context: ChannelHandlerContext) {
        self.context = context
        if context.channel.isActive { open(context) }
    }

    func channelActive(context: ChannelHandlerContext) {
        open(context)
        context.fireChannelActive()
    }

    func channelInactive(context: ChannelHandlerContext) {
        leave()
        context.fireChannelInactive()
    }

    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    private func open(_ context: ChannelHandlerContext) {
        guard ticket == nil else { return }
        let connections = table.connections(on: context.eventLoop)
        switch table.admit(context.remoteAddress) {
        case .failure(let refusal): refuse(context, refusal.end)
        case .success(let ticket):
            self.ticket = ticket
            self.connections = connections
            connections.add(self)
        }
        let options = context.channel.syncOptions
        // A socket that refuses an option buffers more, and waits longer for a client that vanished.
        try? options?.setOption(.socketOption(.so_sndbuf), value: ServerLimits.connectionSocketBytes)
        try? options?.setOption(
            .tcpOption(.init(rawValue: TCP_USER_TIMEOUT)),
            value: ServerLimits.unacknowledgedMilliseconds
        )
    }

    private func refuse(_ context: ChannelHandlerContext, _ end: ClosingReason) {
        self.end = end
        table.count(end)
        let (id, problem) = (RequestMiddleware.randomIdentifier(), ServiceProblem.unavailable("connections"))
        let body = ByteBuffer(bytes: problem.bytes(instance: id))
        let fields: HTTPHeaders = [
            "Connection": "close", "Content-Length": "\(body.readableBytes)",
            "Content-Type": "application/problem+json",
            "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff", "X-Request-Id": id,
            "Retry-After": "\((problem.retryAfter ?? .seconds(5)).secondsRoundedUp)",
        ]
        let head = HTTPResponseHead(version: .http1_1, status: .serviceUnavailable, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
        context.close(promise: nil)
    }

    private func leave() {
        guard let ticket else { return }
        self.ticket = nil
        connections?.remove(self)
        connections = nil
        table.leave(ticket, end)
    }

    // MARK: Requests

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !state.isClosing else { return discard(unwrapInboundIn(data), context) }
        switch unwrapInboundIn(data) {
        case .head:
            if let action = state.handle(.requestHead, at: now(context)) { return perform(action, context) }
        case .body: break
        case .end: perform(state.handle(.requestEnd, at: now(context)), context)
        }
        context.fireChannelRead(data)
    }

    private func discard(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
        guard case .body(let buffer) = part else { return }
        perform(state.handle(.discarded(buffer.readableBytes), at: now(context)), context)
    }

    func channelReadComplete(context: ChannelHandlerContext) {
        guard !state.isClosing else { return context.read() }
        perform(state.handle(.bytes, at: now(context)), context)
        context.fireChannelReadComplete()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if !(error is IOError || error is ChannelError), end == .client { end = .malformed }
        context.fireErrorCaught(error)
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        switch event {
        // Hummingbird would close a connection before its last answer is sent.
        case is ChannelShouldQuiesceEvent: perform(state.handle(.drain, at: now(context)), context)
        case let event as ChannelEvent where event == .inputClosed && state.isClosing: context.close(promise: nil)
        default: context.fireUserInboundEventTriggered(event)
        }
    }

    // MARK: Answers

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            let isLast = head.status.code >= 400 && head.headers["Connection"] == ["close"]
            guard state.handle(.responseHead(isLast: isLast), at: now(context)) == .announceEnd else { break }
            head.headers.replaceOrAdd(name: "Connection", value: "close")
            return context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body(let data): _ = state.handle(.responseBytes(data.readableBytes), at: now(context))
        case .end:
            context.write(data, promise: promise)
            return perform(state.handle(.responseEnd, at: now(context)), context)
        }
        context.write(data, promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode == .output {
            _ = state.handle(.outputClosed, at: now(context))
            context.read()
        } else if state.isAnswering, end == .client {
            end = .stream
        }
        context.close(mode: mode, promise: promise)
    }

    // MARK: Time

    /// Applies the limits of time.
    func check(at now: NIODeadline) {
        guard let context else { return }
        let unsent = state.mayHaveUnsent ? try? context.channel.syncOptions?.getOption(.bufferedWritableBytes) : nil
        perform(state.handle(.check(unsent: unsent ?? 0), at: now), context)
    }

    /// The time of the last check, since a request would pay for a clock; a limit ends that much earlier at most.
    private func now(_ context: ChannelHandlerContext) -> NIODeadline { connections?.now ?? context.eventLoop.now }

    private func perform(_ action: ConnectionAction?, _ context: ChannelHandlerContext) {
        switch action {
        case nil, .announceEnd: break
        case .finish(let end):
            self.end = end
            context.flush()
            context.close(mode: .output, promise: nil)
            context.read()
        case .close(let end):
            if self.end == .client { self.end = end }
            context.close(promise: nil)
        }
    }
}
