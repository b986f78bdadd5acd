// One HTTP/2 connection to a server, from the dial to the last response, confined to one loop.

internal import CNghttp2
internal import Glibc

/// A client connection; used on its loop's thread only.
///
/// It reports every event to its delegate and never retries.
public final class ClientConnection {
    enum Phase {
        case dialing(Dial)
        case handshaking(SecureSocket)
        /// TLS is up; the peer's SETTINGS have not come yet.
        case settling
        case open
        /// No new streams; open streams may still be answered.
        case draining
        case closed
    }

    /// The settings that the connection was opened with.
    public let configuration: ClientConfiguration
    let context: LoopContext
    var delegate: (any ClientDelegate)?
    var phase: Phase
    var watch: Watch?
    var transport: FrameTransport?
    // Each access to these ends before any other call, and there are dozens for a request: Swift's check for
    // overlapping accesses cost a twentieth of a push.
    @exclusivity(unchecked) var streams = StreamTable<ClientStream>()
    @exclusivity(unchecked) var fields = FieldList()
    let headers = ByteBuffer(capacity: 1024)
    @exclusivity(unchecked) var isIgnoringHeaders = false
    /// The stream whose frames are being read, cached to look up its slot once.
    @exclusivity(unchecked) var reading = StreamPlace()
    /// Templates that unserialised frames may point to.
    var templates: ContiguousArray<HeaderTemplate> = []
    /// The newest stream whose request is serialised, and the newest one with a byte possibly sent.
    var lastSerialized: Int32 = 0
    var lastSent: Int32 = 0
    var hasChanges = false
    var isFlushScheduled = false
    var pendingEnd: ConnectionEnd?
    var goAway: (code: UInt32, debug: String)?
    var key: LoopKey<ClientConnection>?
    var connectTimer: LoopTimer?
    var timeoutTimer: LoopTimer?
    var heartbeatTimer: LoopTimer?
    var lastReceived: Int64 = 0
    var pingSent: Int64?

    private init(_ configuration: ClientConfiguration, context: LoopContext, delegate: any ClientDelegate) {
        self.configuration = configuration
        self.context = context
        self.delegate = delegate
        phase = .dialing(Dial(addresses: []))
    }

    /// Starts to connect.
    ///
    /// The delegate's `connectionDidOpen` or `connectionDidClose` is called later, never during this call.
    ///
    /// - Parameters:
    ///   - configuration: Address, trust and timeouts.
    ///   - context: The loop that the connection lives on.
    ///   - delegate: Receives all events; held strongly until the connection closes.
    /// - Returns: The connection, not open yet.
    public static func open(
        _ configuration: ClientConfiguration,
        in context: LoopContext,
        delegate: any ClientDelegate
    ) -> ClientConnection {
        let connection = ClientConnection(configuration, context: context, delegate: delegate)
        connection.start()
        return connection
    }

    /// Open streams, including those whose request has failed but whose stream has not closed.
    public var openStreams: Int { streams.count }

    /// The peer's limit of concurrent streams; 0 before its SETTINGS.
    public internal(set) var peerStreamLimit = 0

    /// True from `connectionDidOpen` until GOAWAY, `drain` or the end.
    public var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Streams that may be opened now: the lower of both limits less the open streams; 0 if the connection is not open.
    public var capacity: Int {
        guard isOpen, pendingEnd == nil else { return 0 }
        return max(0, min(peerStreamLimit, configuration.streamsMax) - streams.count)
    }

    /// Opens no more streams, and closes after the last open one.
    public func drain() {
        guard isOpen else { return }
        phase = .draining
        closeIfDrained()
    }

    /// Closes at once; the delegate receives a failure for each open request first.
    ///
    /// A second call has no effect.
    public func close() { end(.closed) }

    // MARK: Ending

    /// Ends the connection now, or as soon as nghttp2 has left the call stack.
    func end(_ reason: ConnectionEnd) {
        if case .closed = phase { return }
        if pendingEnd == nil { pendingEnd = reason }
        guard transport?.isInside != true else { return }
        finish(pendingEnd ?? reason)
    }

    private func finish(_ reason: ConnectionEnd) {
        let sendsGoAway = reason == .closed || reason == .silent
        let isSettled: Bool
        switch phase {
        case .open, .draining: isSettled = true
        default: isSettled = false
        }
        if case .dialing(let dial) = phase, let descriptor = dial.descriptor {
            if let watch { context.unwatch(watch) }
            watch = nil
            Glibc.close(descriptor)
        }
        phase = .closed
        for timer in [connectTimer, timeoutTimer, heartbeatTimer] { timer.map(context.cancel) }
        if sendsGoAway, isSettled { sendGoAway() }
        if let watch { context.unwatch(watch) }
        watch = nil
        failAll()
        transport?.socket.finish()
        transport = nil
        templates = []
        if let key { context.drop(key) }
        let owner = delegate
        delegate = nil
        owner?.connectionDidClose(reason)
    }

    private func sendGoAway() {
        guard let transport, !transport.socket.hasOutgoing else { return }
        // Queued requests must not leave with the GOAWAY, so that they count as refused.
        for stream in streams.slots where stream.phase == .waiting && stream.id > lastSerialized {
            transport.cancel(stream.id)
        }
        nghttp2_session_terminate_session(transport.session, UInt32(NGHTTP2_NO_ERROR.rawValue))
        _ = transport.send { lastSent = lastSerialized }
    }

    private func failAll() {
        for index in streams.slots.indices where streams[index].phase == .waiting {
            let stream = streams[index]
            streams[index].phase = .abandoned
            delegate?.connectionFailed(stream.tag, isUnsent(stream) ? .refused : .ambiguous)
        }
        streams = StreamTable()
    }

    /// Whether the peer cannot have the whole request: its body is not written, or its batch has not begun to leave.
    func isUnsent(_ stream: ClientStream) -> Bool { stream.id > lastSent || stream.body.isUnfinished }

    func closeIfDrained() {
        guard case .draining = phase, streams.count == 0 else { return }
        if let goAway { end(.goneAway(code: goAway.code, debug: goAway.debug)) } else { end(.closed) }
    }
}
