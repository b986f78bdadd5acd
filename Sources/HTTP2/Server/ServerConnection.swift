// One client of a server, confined to the loop; it can also misbehave on purpose, to simulate APNs.

internal import CNghttp2
internal import Glibc

/// A server's connection to one client.
public final class ServerConnection: AcceptedConnection {
    /// State that the server's delegate attaches to this connection.
    public var memory: AnyObject?

    let delegate: any ServerDelegate
    private(set) var transport: FrameTransport?
    var streams = StreamTable<ServerSlot>()
    var fields = FieldList()
    /// The stream whose frames are being read, cached to look up its slot once.
    var reading = StreamPlace()
    /// Whether a response was ever sent before the end of its request.
    var hasCutRequests = false
    /// The last stream that GOAWAY promised to process; later ones are ignored.
    private(set) var lastProcessed = Int32.max
    private var pendingEnd = false
    private var idleTimer: LoopTimer?
    private var lastReceived: Int64

    init(id: UInt64, socket: SecureSocket, listener: ServerListener, delegate: any ServerDelegate) {
        self.delegate = delegate
        lastReceived = listener.context.nowInNanoseconds
        super.init(id: id, socket: socket, listener: listener)
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
        nghttp2_submit_settings(transport.session, FrameTransport.noFlags, &entry, 1)
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
        nghttp2_submit_goaway(transport.session, FrameTransport.noFlags, last, code, debug, debug.count)
        scheduleFlush()
    }

    /// Closes with a GOAWAY, if the socket accepts it.
    public override func close() {
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

    override func begin(_ watch: Watch) -> Bool {
        transport = ServerSession.start(for: self, over: socket, watch)
        guard transport != nil else { return false }
        armIdleTimer()
        delegate.server(didOpen: self)
        return true
    }

    override func send() {
        guard let transport else { return }
        if transport.send(started: {}) != nil || pendingEnd { end() }
    }

    override func receive() {
        guard let transport else { return }
        lastReceived = context.nowInNanoseconds
        let outcome = transport.receive()
        scheduleFlush()
        if case .violation(let reason) = outcome { refuse(reason) }
        if outcome != nil || pendingEnd { end() }
    }

    /// Sends GOAWAY with PROTOCOL_ERROR, to a client that sends no HTTP/2 or breaks its rules.
    private func refuse(_ reason: String) {
        goAway(code: UInt32(NGHTTP2_PROTOCOL_ERROR.rawValue), debug: Array(reason.utf8))
        _ = transport?.send {}
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
    override func end() {
        guard phase != .closed else { return }
        pendingEnd = true
        guard transport?.isInside != true else { return }
        idleTimer.map(context.cancel)
        super.end()
        let wasOpen = transport != nil
        transport = nil
        if wasOpen { delegate.server(didClose: self) }
        memory = nil
    }
}
