// One client of a sink, confined to the loop: real TLS below, frames only above.

/// A sink's connection to one client.
final class SinkConnection: AcceptedConnection {
    private let counter: RequestCounter
    private let answers = ByteBuffer(capacity: 65_536)
    /// Time from a request to its answer.
    private let roundTrip: Duration
    /// The frames of the present read, and the answers that wait for the end of their round trip.
    private let fresh = ByteBuffer(capacity: 16_384)
    private var delayed = DelayedAnswers()
    private var isReleaseScheduled = false
    private var scan: FrameScan

    init(id: UInt64, socket: SecureSocket, listener: ServerListener, counter: RequestCounter, roundTrip: Duration) {
        self.counter = counter
        self.roundTrip = roundTrip
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
        let frames = roundTrip > .zero ? fresh : answers
        let outcome = socket.receive { bytes in
            isBroken = !scan.read(bytes, into: frames)
            return !isBroken
        }
        let requests = scan.requests - before
        if roundTrip > .zero { delay(requests) } else { counter.add(requests) }
        guard case .open = outcome, !isBroken, answers.count + delayed.count <= HTTP2Limits.sinkResponseBytes
        else { return close() }
        if !answers.isEmpty { scheduleFlush() }
    }

    private func delay(_ requests: Int) {
        guard !fresh.isEmpty else { return }
        delayed.add(fresh.readable, of: requests, due: context.now + roundTrip)
        fresh.clear()
        scheduleRelease()
    }

    private func scheduleRelease() {
        guard !isReleaseScheduled, let due = delayed.due else { return }
        isReleaseScheduled = context.schedule(after: due - context.now) { _ in self.release() } != nil
    }

    private func release() {
        isReleaseScheduled = false
        guard phase == .open else { return }
        counter.add(delayed.release(at: context.now, to: answers))
        scheduleRelease()
        scheduleFlush()
    }
}
