// One client of a server, confined to the loop; it can also misbehave on purpose, as a true APNs does.

internal import CNghttp2
internal import Glibc

/// A server's connection to one client.
public final class ServerConnection: AcceptedConnection, Flushable {
    enum Phase {
        case handshaking
        case open
        case closed
    }

    /// Counts the server's connections from 1.
    public let id: UInt64
    /// Whatever the server's delegate wants to remember of this connection.
    public var memory: AnyObject?

    private let context: LoopContext
    let listener: ServerListener
    let delegate: any ServerDelegate
    private let socket: SecureSocket
    private var phase = Phase.handshaking
    private var watch: Watch?
    private(set) var transport: FrameTransport?
    var streams = ServerStreamTable()
    var fields = FieldList()
    /// The stream whose frames are being read, so that its slot is looked up once.
    var reading = StreamPlace()
    /// Whether an answer was ever given before its request had ended.
    var hasCutRequests = false
    /// Streams above it were given back to the client by a GOAWAY, whatever has come of them already.
    private(set) var lastProcessed = Int32.max
    private var pendingEnd = false
    private var isFlushScheduled = false
    private var handshakeTimer: LoopTimer?
    private var idleTimer: LoopTimer?
    private var lastReceived: Int64

    init(
        id: UInt64,
        socket: SecureSocket,
        listener: ServerListener,
        delegate: any ServerDelegate,
        context: LoopContext
    ) {
        self.id = id
        self.socket = socket
        self.listener = listener
        self.delegate = delegate
        self.context = context
        lastReceived = context.nowInNanoseconds
    }

    /// True from the end of the TLS handshake to the end of the connection.
    public var isOpen: Bool { phase == .open }

    /// Requests that were begun and not yet answered to the end.
    public var openStreams: Int { streams.count }

    /// Changes the number of streams that the client may have open at once.
    public func setMaxConcurrentStreams(_ count: Int) {
        guard let transport else { return }
        var entry = nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
            value: UInt32(clamping: count)
        )
        nghttp2_submit_settings(transport.session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &entry, 1)
        scheduleFlush()
    }

    /// Announces the end: streams above `lastStream` are not processed, the others still answered, then it closes.
    ///
    /// - Parameters:
    ///   - lastStream: Nil for all that have come so far.
    ///   - code: HTTP/2 error code.
    ///   - debug: Debug data, at APNs a JSON object with the reason.
    public func goAway(lastStream: Int32? = nil, code: UInt32 = 0, debug: [UInt8] = []) {
        guard let transport else { return }
        let last = lastStream ?? nghttp2_session_get_last_proc_stream_id(transport.session)
        lastProcessed = min(lastProcessed, last)
        nghttp2_submit_goaway(transport.session, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, code, debug, debug.count)
        scheduleFlush()
    }

    /// Closes with a GOAWAY, as far as the socket takes it.
    public func close() {
        if let transport, phase == .open, !transport.isInside {
            nghttp2_session_terminate_session(transport.session, UInt32(NGHTTP2_NO_ERROR.rawValue))
            _ = transport.send {}
        }
        end()
    }

    /// Cuts the connection without a word, as a crash or a broken network would.
    public func abort() {
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        end()
    }

    // MARK: The loop

    func start() -> Bool {
        watch = context.watch(socket.descriptor, self, writable: false)
        guard watch != nil else { return false }
        // Held strongly here as below, since a weak reference makes every later retain slow; `end` cancels both timers.
        handshakeTimer = context.schedule(after: listener.configuration.handshakeTimeout) { _ in self.end() }
        return true
    }

    func ready(readable: Bool, writable: Bool) {
        switch phase {
        case .handshaking: shakeHands()
        case .open:
            if readable { receive() }
            if writable { flush() }
        case .closed: break
        }
    }

    func loopWillStop() { close() }

    func scheduleFlush() {
        guard !isFlushScheduled else { return }
        isFlushScheduled = true
        context.flushLater(self)
    }

    func flush() {
        isFlushScheduled = false
        guard let transport, phase == .open else { return }
        if transport.send(started: {}) != nil || pendingEnd { end() }
    }

    private func receive() {
        guard let transport else { return }
        lastReceived = context.nowInNanoseconds
        let outcome = transport.receive()
        scheduleFlush()
        if outcome != nil || pendingEnd { end() }
    }

    private func shakeHands() {
        guard let isDone = socket.answerHandshake() else { return end() }
        guard isDone else { return }
        let memory = SessionMemory()
        guard let watch, let session = ServerSession.make(for: self, listener.configuration, in: memory) else {
            return end()
        }
        if let handshakeTimer { context.cancel(handshakeTimer) }
        transport = FrameTransport(socket: socket, session: session, memory: memory, context: context, watch: watch)
        phase = .open
        armIdleTimer()
        delegate.server(didOpen: self)
        // Records that came with the handshake are still in the loop's scratch memory.
        receive()
        scheduleFlush()
    }

    private func armIdleTimer() {
        let patience = listener.configuration.idleTimeout
        let due = lastReceived &+ patience.nanosecondsClamped &- context.nowInNanoseconds
        idleTimer = context.schedule(after: .nanoseconds(max(1_000_000, due))) { [self] context in
            let silence = context.nowInNanoseconds &- lastReceived
            if silence >= patience.nanosecondsClamped { close() } else { armIdleTimer() }
        }
    }

    /// Ends the connection now, or as soon as nghttp2 is off the call stack.
    private func end() {
        guard phase != .closed else { return }
        pendingEnd = true
        guard transport?.isInside != true else { return }
        let wasOpen = phase == .open
        phase = .closed
        for timer in [handshakeTimer, idleTimer] { timer.map(context.cancel) }
        if let watch { context.unwatch(watch) }
        watch = nil
        socket.finish()
        transport = nil
        listener.forget(self)
        if wasOpen { delegate.server(didClose: self) }
        memory = nil
    }
}
