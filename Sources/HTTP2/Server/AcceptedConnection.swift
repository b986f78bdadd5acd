// One client of a server from TCP to its end, whatever comes after the TLS handshake.

/// A server's connection to one client, confined to the loop; subclasses exchange frames.
public class AcceptedConnection: Pollable, Flushable {
    enum Phase {
        case handshaking
        case open
        case closed
    }

    /// Number of the connection on its server, from 1.
    public let id: UInt64
    let socket: SecureSocket
    let listener: ServerListener
    private(set) var phase = Phase.handshaking
    private(set) var watch: Watch?
    private var isFlushScheduled = false
    private var handshakeTimer: LoopTimer?

    var context: LoopContext { listener.context }

    init(id: UInt64, socket: SecureSocket, listener: ServerListener) {
        self.id = id
        self.socket = socket
        self.listener = listener
    }

    // MARK: What a subclass does

    /// Begins to exchange frames after the handshake; false if that is not possible.
    func begin(_ watch: Watch) -> Bool { true }
    func receive() {}
    func send() {}
    /// Closes the connection, if possible after a last frame.
    public func close() { end() }

    // MARK: The loop

    /// Starts to serve; false if the system refuses to watch the socket.
    func start() -> Bool {
        watch = context.watch(socket.descriptor, self, writable: false)
        guard watch != nil else { return false }
        // Timers hold the connection strongly, since a weak reference slows every later retain; `end` cancels all.
        handshakeTimer = context.schedule(after: HTTP2Limits.handshakeTimeout) { _ in self.end() }
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
        if phase == .open { send() }
    }

    private func handshake() {
        let progress = socket.handshake()
        let sending = socket.send {}
        if case .failed = progress { return end() }
        if case .failed = sending { return end() }
        guard case .done = progress else { return }
        handshakeTimer.map(context.cancel)
        phase = .open
        guard let watch, begin(watch) else { return end() }
        // Records that came with the handshake are still in the loop's scratch memory.
        receive()
    }

    /// Ends the connection now.
    func end() {
        guard phase != .closed else { return }
        phase = .closed
        handshakeTimer.map(context.cancel)
        watch.map(context.unwatch)
        watch = nil
        socket.finish()
        listener.forget(self)
    }
}
