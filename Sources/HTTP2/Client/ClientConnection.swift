// One HTTP/2 connection to a server, from the dial to the last answer, confined to one loop.

internal import CNghttp2
internal import Glibc

/// A client connection; used on its loop's thread only.
///
/// It tells its delegate what happens and never retries by itself.
public final class ClientConnection {
    enum Phase {
        case dialing(Dial)
        case handshaking(SecureSocket)
        /// TLS is up; the peer's SETTINGS are awaited.
        case settling
        case open
        /// No new streams; the open ones may still be answered.
        case draining
        case closed
    }

    /// What the connection was opened with.
    public let configuration: ClientConfiguration
    let context: LoopContext
    var delegate: (any ClientDelegate)?
    var phase: Phase
    var watch: Watch?
    var transport: FrameTransport?
    // Each access to these is over before anything else is called, and there are dozens for a request: Swift's check
    // for overlapping accesses was a twentieth of a push's cost.
    @exclusivity(unchecked) var streams = StreamTable()
    @exclusivity(unchecked) var fields = FieldList()
    let headers = ByteBuffer(capacity: 1024)
    @exclusivity(unchecked) var isIgnoringHeaders = false
    /// The stream whose frames are being read, so that its slot is looked up once.
    @exclusivity(unchecked) var reading = StreamPlace()
    /// Templates that frames not yet serialised may point into.
    var templates: ContiguousArray<HeaderTemplate> = []
    /// The newest stream whose request was serialised, and the newest of which a byte may have left.
    var lastSerialized: Int32 = 0
    var lastSent: Int32 = 0
    var peerLimit = 0
    var hasNews = false
    var isFlushScheduled = false
    var pendingEnd: ConnectionEnd?
    var goAway: (code: UInt32, debug: String)?
    var key: LoopKey<ClientConnection>?
    var connectTimer: LoopTimer?
    var timeoutTimer: LoopTimer?
    var heartbeatTimer: LoopTimer?
    var lastReceived: Int64 = 0
    var pingSent: Int64?

    /// Time from the last PING to its answer; nil before the first, which is sent when the connection opens.
    public internal(set) var roundTrip: Duration?

    private init(_ configuration: ClientConfiguration, context: LoopContext, delegate: any ClientDelegate) {
        self.configuration = configuration
        self.context = context
        self.delegate = delegate
        phase = .dialing(Dial(addresses: []))
    }

    /// Starts to connect; the delegate hears `connectionDidOpen` or `connectionDidClose` later, never during this call.
    public static func open(
        _ configuration: ClientConfiguration,
        in context: LoopContext,
        delegate: any ClientDelegate
    ) -> ClientConnection {
        let connection = ClientConnection(configuration, context: context, delegate: delegate)
        connection.start()
        return connection
    }

    /// Requests under way, those included whose owner was told of a failure but whose stream has not closed.
    public var openStreams: Int { streams.count }

    /// The peer's limit of concurrent streams; 0 before its SETTINGS.
    public var peerStreamLimit: Int { peerLimit }

    /// True between `connectionDidOpen` and the first of GOAWAY, `drain` and the end.
    public var isOpen: Bool { if case .open = phase { true } else { false } }

    /// Streams that may be opened now: the lower of both limits, less what is open; 0 when not open.
    public var capacity: Int {
        guard isOpen, pendingEnd == nil else { return 0 }
        return max(0, min(peerLimit, configuration.streamsMax) - streams.count)
    }

    /// Opens no more streams, and closes when those under way are done.
    public func drain() {
        guard isOpen else { return }
        phase = .draining
        closeIfDrained()
    }

    /// Closes at once; requests under way fail first.
    ///
    /// Repeating it does no harm.
    public func close() { end(.closed) }

    // MARK: Ending

    /// Ends the connection now, or as soon as nghttp2 is off the call stack.
    func end(_ reason: ConnectionEnd) {
        if case .closed = phase { return }
        if pendingEnd == nil { pendingEnd = reason }
        guard transport?.isInside != true else { return }
        finish(pendingEnd ?? reason)
    }

    private func finish(_ reason: ConnectionEnd) {
        let farewell = reason == .closed || reason == .silent
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
        if farewell, isSettled { sayGoodbye() }
        if let watch { context.unwatch(watch) }
        watch = nil
        failAll()
        transport?.socket.finish()
        transport = nil
        templates = []
        if let key { context.drop(key) }
        let owner = delegate
        delegate = nil
        owner?.connectionDidClose(self, reason: reason)
    }

    private func sayGoodbye() {
        guard let transport, !transport.socket.hasOutgoing else { return }
        // Requests that still wait here shall not leave with the GOAWAY, so that they count as refused.
        for stream in streams.slots where stream.phase == .waiting && stream.id > lastSerialized {
            nghttp2_submit_rst_stream(
                transport.session,
                UInt8(NGHTTP2_FLAG_NONE.rawValue),
                stream.id,
                UInt32(NGHTTP2_CANCEL.rawValue)
            )
        }
        nghttp2_session_terminate_session(transport.session, UInt32(NGHTTP2_NO_ERROR.rawValue))
        _ = transport.send { lastSent = lastSerialized }
    }

    private func failAll() {
        for index in streams.slots.indices where streams[index].phase == .waiting {
            let stream = streams[index]
            streams[index].phase = .abandoned
            // Bytes of this stream can only be with the peer when its batch has begun to leave.
            delegate?.connection(self, didFail: stream.tag, with: stream.id > lastSent ? .refused : .ambiguous)
        }
        streams = StreamTable()
    }

    func closeIfDrained() {
        guard case .draining = phase, streams.count == 0 else { return }
        if let goAway { end(.goneAway(code: goAway.code, debug: goAway.debug)) } else { end(.closed) }
    }
}
