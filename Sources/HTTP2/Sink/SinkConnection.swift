// One client of a sink, confined to the loop: real TLS below, frames only above.

/// A sink's connection to one client.
final class SinkConnection: AcceptedConnection, Flushable {
    private enum Phase {
        case handshaking
        case open
        case closed
    }

    let id: UInt64
    private let socket: SecureSocket
    private let listener: ServerListener
    private let counter: RequestCounter
    private let context: LoopContext
    private let answers = ByteBuffer(capacity: 65_536)
    private var scan: FrameScan
    private var phase = Phase.handshaking
    private var watch: Watch?
    private var handshakeTimer: LoopTimer?
    private var isFlushScheduled = false
    private var isWaitingToWrite = false

    init(
        id: UInt64,
        socket: SecureSocket,
        listener: ServerListener,
        counter: RequestCounter,
        context: LoopContext
    ) {
        self.id = id
        self.socket = socket
        self.listener = listener
        self.counter = counter
        self.context = context
        scan = FrameScan(window: listener.configuration.connectionWindow)
    }

    func start() -> Bool {
        watch = context.watch(socket.descriptor, self, writable: false)
        guard watch != nil else { return false }
        handshakeTimer = context.schedule(after: listener.configuration.handshakeTimeout) { _ in self.close() }
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

    func flush() {
        isFlushScheduled = false
        guard phase == .open else { return }
        while true {
            switch socket.send(started: {}) {
            case .all: break
            case .blocked: return setWaitingToWrite(true)
            case .failed: return close()
            }
            if answers.isEmpty { return setWaitingToWrite(false) }
            guard socket.encrypt(answers.readable) == nil else { return close() }
            answers.clear()
        }
    }

    func close() {
        guard phase != .closed else { return }
        phase = .closed
        handshakeTimer.map(context.cancel)
        if let watch { context.unwatch(watch) }
        watch = nil
        socket.finish()
        listener.forget(self)
    }

    private func handshake() {
        guard let isDone = socket.continueServerHandshake() else { return close() }
        guard isDone else { return }
        handshakeTimer.map(context.cancel)
        phase = .open
        scan.greet(streams: listener.configuration.maxConcurrentStreams, into: answers)
        // Records that came with the handshake are still in the loop's scratch memory.
        receive()
    }

    private func receive() {
        let before = scan.requests
        var isBroken = false
        let outcome = socket.receive { bytes in
            isBroken = !scan.read(bytes, into: answers)
            return !isBroken
        }
        counter.add(scan.requests - before)
        guard case .open = outcome, !isBroken, answers.count <= HTTP2Limits.sinkResponseBytes else { return close() }
        guard !isFlushScheduled, !answers.isEmpty else { return }
        isFlushScheduled = true
        context.flushLater(self)
    }

    private func setWaitingToWrite(_ wanted: Bool) {
        guard wanted != isWaitingToWrite, let watch else { return }
        isWaitingToWrite = wanted
        context.update(watch, writable: wanted)
    }
}
