// One client of a server, confined to the loop; it can also misbehave on purpose, to simulate APNs.

internal import CNghttp2
internal import Glibc

/// A server's connection to one client.
public final class ServerConnection: AcceptedConnection, Flushable {
    enum Phase {
        case handshaking
        case open
        case closed
    }

    /// Number of the connection on its server, from 1.
    public let id: UInt64
    /// State that the server's delegate attaches to this connection.
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
    /// The stream whose frames are being read, cached to look up its slot once.
    var reading = StreamPlace()
    /// Whether a response was ever sent before the end of its request.
    var hasCutRequests = false
    /// The last stream that GOAWAY promised to process; later ones are ignored.
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

    /// Requests that have begun and whose response is not complete.
    public var openStreams: Int { streams.count }

    /// Changes the number of streams that the client may open at once.
    public func setMaxConcurrentStreams(_ count: Int) {
        guard let transport else { return }
        var entry = nghttp2_settings_entry(
            settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue),
            value: UInt32(clamping: count)
        )
        nghttp2_submit_settings(transport.session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &entry, 1)
        scheduleFlush()
    }

    /// Sends GOAWAY: streams above `lastStream` are not processed, the others are answered, then the connection closes.
    ///
    /// - Parameters:
    ///   - lastStream: Stream id; nil for the newest one received.
    ///   - code: HTTP/2 error code.
    ///   - debug: Debug data; APNs sends a JSON object with the reason.
    public func goAway(lastStream: Int32? = nil, code: UInt32 = 0, debug: [UInt8] = []) {
        guard let transport else { return }
        let last = lastStream ?? nghttp2_session_get_last_proc_stream_id(transport.session)
        lastProcessed = min(lastProcessed, last)
        nghttp2_submit_goaway(transport.session, UInt8(NGHTTP2_FLAG_NONE.rawValue), last, code, debug, debug.count)
        scheduleFlush()
    }

    /// Closes with a GOAWAY, if the socket accepts it.
    public func close() {
        if let transport, phase == .open, !transport.isInside {
            nghttp2_session_terminate_session(transport.session, UInt32(NGHTTP2_NO_ERROR.rawValue))
            _ = transport.send {}
        }
        end()
    }

    /// Cuts the connection without a GOAWAY, like a crash or a broken network.
    public func abort() {
        shutdown(socket.descriptor, Int32(SHUT_RDWR))
        end()
    }

    // MARK: The loop

    func start() -> Bool {
        watch = context.watch(socket.descriptor, self, writable: false)
        guard watch != nil else { return false }
        // Timers hold the connection strongly, since a weak reference slows every later retain; `end` cancels both.
        handshakeTimer = context.schedule(after: listener.configuration.handshakeTimeout) { _ in self.end() }
        return true
    }

    func ready(readable: Bool, writable: Bool) {
        switch phase {
        case .handshaking: handshake()
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

    private func handshake() {
        guard let isDone = socket.continueServerHandshake() else { return end() }
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
        let limit = listener.configuration.idleTimeout
        let due = lastReceived &+ limit.nanosecondsClamped &- context.nowInNanoseconds
        idleTimer = context.schedule(after: .nanoseconds(max(1_000_000, due))) { [self] context in
            let silence = context.nowInNanoseconds &- lastReceived
            if silence >= limit.nanosecondsClamped { close() } else { armIdleTimer() }
        }
    }

    /// Ends the connection now, or as soon as nghttp2 has left the call stack.
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
