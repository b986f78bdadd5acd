// One client of a sink, confined to the loop: real TLS below, frames only above.

/// A sink's connection to one client.
final class SinkConnection: AcceptedConnection {
    private let counter: RequestCounter
    private let answers = ByteBuffer(capacity: 65_536)
    private var scan: FrameScan

    init(id: UInt64, socket: SecureSocket, listener: ServerListener, counter: RequestCounter) {
        self.counter = counter
        scan = FrameScan(window: listener.configuration.connectionWindow)
        super.init(id: id, socket: socket, listener: listener)
    }

    override func begin(_ watch: Watch) -> Bool {
        scan.greet(streams: listener.configuration.maxConcurrentStreams, into: answers)
        return true
    }

    override func send() {
        guard let watch else { return }
        while true {
            switch socket.send(started: {}) {
            case .all: break
            case .blocked: return context.update(watch, writable: true)
            case .failed: return close()
            }
            if answers.isEmpty { return context.update(watch, writable: false) }
            guard socket.encrypt(answers.readable) == nil else { return close() }
            answers.clear()
        }
    }

    override func receive() {
        let before = scan.requests
        var isBroken = false
        let outcome = socket.receive { bytes in
            isBroken = !scan.read(bytes, into: answers)
            return !isBroken
        }
        counter.add(scan.requests - before)
        guard case .open = outcome, !isBroken, answers.count <= HTTP2Limits.sinkResponseBytes else { return close() }
        if !answers.isEmpty { scheduleFlush() }
    }
}
