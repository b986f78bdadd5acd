// One HTTP/2 connection of a client, confined to its loop: requests in, answers and failures out, each exactly once.

internal import CLinux
internal import CNghttp2
internal import Glibc
internal import ScoreTypes

/// A connection to a peer that serves HTTP/2 over TLS.
public final class ClientConnection {
    /// Longest answer body that is kept, in bytes; APNs' reasons have under 200, a list of 10,000 channels 500,000.
    public static let answerBytesMax = 1024 * 1024
    /// How often deadlines are looked at.
    static let sweepInterval = Duration.milliseconds(100)

    let configuration: ClientConfiguration
    let loop: LoopContext
    weak var delegate: (any ClientDelegate)?
    var wire: Wire?
    var streams = ClientStreamTable()
    var isAnnounced = false
    private(set) var isOver = false
    var lastHeard: Duration
    var pingSentAt: Duration?
    private var connectTimer: TimerID?
    private var isSweeping = false
    /// The time between the last PING and its answer; nil before the first.
    public internal(set) var roundTrip: Duration?

    /// Begins to connect; the delegate, which is not kept alive, is told of everything.
    public static func open(
        _ configuration: ClientConfiguration,
        in loop: LoopContext,
        delegate: any ClientDelegate
    ) -> ClientConnection {
        let connection = ClientConnection(configuration, loop, delegate)
        connection.connectTimer = loop.schedule(after: configuration.connectTimeout) { [weak connection] in
            guard let connection, !connection.isAnnounced else { return }
            connection.end(.connectFailed)
        }
        // A later turn, so that the caller has stored the connection before the first call.
        loop.afterTurn { [weak connection] in connection?.resolve() }
        return connection
    }

    private init(_ configuration: ClientConfiguration, _ loop: LoopContext, _ delegate: any ClientDelegate) {
        self.configuration = configuration
        self.loop = loop
        self.delegate = delegate
        lastHeard = loop.now
    }

    /// Streams that may be opened now: what the peer and we allow, less those that are open; 0 before it is open.
    public var capacity: Int {
        guard isAnnounced, !isOver, let session = wire?.session else { return 0 }
        guard nghttp2_session_check_request_allowed(session) != 0 else { return 0 }
        return max(0, min(peerStreamLimit, configuration.streamsMax) - streams.count)
    }

    /// Requests under way.
    public var openStreams: Int { streams.count }

    /// Streams that the peer allows at once.
    public var peerStreamLimit: Int {
        guard let session = wire?.session else { return 0 }
        return Int(nghttp2_session_get_remote_settings(session, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS))
    }

    /// Sends a request; false when there is no capacity, and then nobody is told anything of it.
    ///
    /// - Parameters:
    ///   - path: Bytes of `:path`; never indexed by HPACK, since it is new each time.
    ///   - template: All other headers.
    ///   - extra: One more header, whose value is new each time, such as an id; nil for none.
    ///   - body: Sent without being copied.
    ///   - tag: Given back with the answer.
    /// - Returns: Whether it was taken.
    public func submit(
        path: UnsafeBufferPointer<UInt8>,
        template: HeaderTemplate,
        extra: (name: StaticString, value: UnsafeBufferPointer<UInt8>)?,
        body: SharedBytes?,
        tag: UInt64
    ) -> Bool {
        guard capacity > 0, let wire, let session = wire.session else { return false }
        let place = streams.add(
            ClientStream(
                tag: tag,
                deadline: loop.now + configuration.requestTimeout,
                streamID: 0,
                template: template,
                body: body
            )
        )
        let id = request(session, path: path, template: template, extra: extra, hasBody: body != nil, place: place)
        guard id > 0 else {
            _ = streams.remove(place)
            return false
        }
        startSweeping()
        wire.needsFlush()
        return true
    }

    /// Closes after a GOAWAY; requests under way fail.
    public func close() {
        if let session = wire?.session { nghttp2_session_terminate_session(session, UInt32(NGHTTP2_NO_ERROR.rawValue)) }
        end(.closed)
    }

    func end(_ reason: ConnectionEnd) {
        guard !isOver else { return }
        if let wire { return wire.close(reason) }
        finish(reason)
    }

    private func finish(_ reason: ConnectionEnd) {
        guard !isOver else { return }
        isOver = true
        if let connectTimer { loop.cancel(connectTimer) }
        for place in streams.streams.indices {
            guard let stream = streams.remove(place), !stream.isSettled else { continue }
            delegate?.connection(self, didFail: stream.tag, with: stream.wasSent ? .ambiguous : .refused)
        }
        delegate?.connectionDidClose(self, reason: reason)
    }

    private func resolve() {
        loop.resolve(host: configuration.host, port: configuration.port) { [weak self] addresses in
            guard let self, !isOver else { return }
            guard let first = addresses.first else { return finish(.nameNotFound) }
            connect(to: first)
        }
    }

    private func connect(to address: SocketAddress) {
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(Int32(address.storage.ss_family), kind, 0)
        guard descriptor >= 0 else { return finish(.connectFailed) }
        let code = address.withPointer { Glibc.connect(descriptor, $0, $1) }
        guard code == 0 || errno == EINPROGRESS else {
            Glibc.close(descriptor)
            return finish(.connectFailed)
        }
        do throws(TLSError) {
            let context = try TLSContext(client: configuration.tls.trust)
            let pipe = try TLSPipe(client: context, serverName: configuration.tls.serverName)
            let wire = Wire(descriptor, tls: pipe, isConnected: false, loop: loop)
            wire.owner = self
            self.wire = wire
        } catch {
            Glibc.close(descriptor)
            finish(.tls(error))
        }
    }

    private func startSweeping() {
        guard !isSweeping else { return }
        isSweeping = true
        loop.schedule(after: Self.sweepInterval) { [weak self] in
            guard let self, !isOver else { return }
            isSweeping = false
            sweep()
        }
    }

    /// Fails requests past their deadline, and asks a silent peer for a sign of life.
    private func sweep() {
        guard let wire, let session = wire.session else { return }
        for place in streams.streams.indices {
            guard let stream = streams[place], !stream.isSettled, stream.deadline <= loop.now else { continue }
            streams[place]?.isSettled = true
            nghttp2_submit_rst_stream(
                session,
                UInt8(NGHTTP2_FLAG_NONE.rawValue),
                stream.streamID,
                UInt32(NGHTTP2_CANCEL.rawValue)
            )
            delegate?.connection(self, didFail: stream.tag, with: .timeout)
        }
        checkSilence(session)
        wire.needsFlush()
        if isAnnounced && !isOver { startSweeping() }
    }

    private func checkSilence(_ session: OpaquePointer) {
        let silence = loop.now - lastHeard
        if let pingSentAt {
            if loop.now - pingSentAt > configuration.pingTimeout { end(.silent) }
        } else if silence > configuration.pingAfterIdle
            || (streams.count > 0 && silence > configuration.pingTimeout / 2)
        {
            pingSentAt = loop.now
            nghttp2_submit_ping(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
        }
    }
}

extension ClientConnection: WireOwner {
    func wireDidOpen() {
        wire?.session = makeSession()
        startSweeping()
    }

    func wireDidClose(_ reason: ConnectionEnd) { finish(reason) }

    func wireDidReceive() {
        lastHeard = loop.now
        guard isAnnounced, !isOver else { return }
        if let connectTimer {
            loop.cancel(connectTimer)
            self.connectTimer = nil
        }
        if capacity > 0 { delegate?.connectionHasCapacity(self) }
    }
}
