// The readers of the benchmark of streams share one thread, which must not be slower than the server.

import CLinux
import Glibc
import ScoreTypes
import Synchronization

/// Many readers of one match's stream.
final class StreamCrowd: Sendable {
    /// The readers and their observations.
    struct Status: Sendable {
        /// Prompt readers with an open stream.
        var open = 0
        /// The lowest state of these readers.
        var lowest: Int64 = 0
        /// Streams that the server refused so far.
        var refused = 0
        /// Streams that ended or failed so far, other than by an order.
        var lost = 0
        var latency = StreamLatency()
    }

    /// The work of the thread.
    enum Order: Sendable {
        /// Connects all readers, at most so many a second.
        case open(perSecond: Int)
        case committed(Int64, at: Duration)
        /// Forgets the arrivals so far.
        case measure
        /// Closes all sockets.
        case leave
        case stop
    }

    private let orders = Mailbox<Order>(limit: LabLimits.crowdOrders)
    private let shared = Mutex(Status())

    /// Starts the thread; its readers do not connect yet.
    init(prompt: Int, slow: Int, vanishing: Int, port: Int, path: String) {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n".utf8)
        let sizes: [(kind: StreamReader.Kind, count: Int)] = [
            (.prompt, prompt), (.slow, slow), (.vanishing, vanishing),
        ]
        let kinds = sizes.flatMap { Array(repeating: $0.kind, count: $0.count) }.shuffled()
        OwnedThread.start(name: "crowd") { [weak self, orders] in
            CrowdThread(kinds, orders: orders, port: UInt16(clamping: port), request: request) { status in
                self?.shared.withLock { $0 = status }
            }.run()
        }
    }

    deinit { orders.post(.stop) }

    /// The observations until about a tenth of a second ago.
    var status: Status { shared.withLock { $0 } }

    func post(_ order: Order) { orders.post(order) }

    /// Monotonic time, as the arrivals are measured.
    static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}

/// The readers on their thread.
private final class CrowdThread {
    private let orders: Mailbox<StreamCrowd.Order>
    private let port: UInt16
    private let request: [UInt8]
    private let publish: (StreamCrowd.Status) -> Void
    private let readers: [StreamReader]
    private let poll = epoll_create1(Int32(EPOLL_CLOEXEC))
    private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 * 1024, alignment: 16)
    private var status = StreamCrowd.Status()
    private var isActive = false
    private var perSecond = 1
    private var budget = 0.0
    private var filledAt = StreamCrowd.now
    private var publishedAt = StreamCrowd.now
    private var isStopped = false

    init(
        _ kinds: [StreamReader.Kind],
        orders: Mailbox<StreamCrowd.Order>,
        port: UInt16,
        request: [UInt8],
        publish: @escaping (StreamCrowd.Status) -> Void
    ) {
        (self.orders, self.port, self.request, self.publish) = (orders, port, request, publish)
        readers = kinds.enumerated().map { index, kind in
            // From 127.1.0.1 on, as many of one address as the server allows a household, and some less.
            let address = 0x7f01_0001 + UInt32(index / LabLimits.streamsOfAddress)
            return StreamReader(kind, source: address, connectsAt: .zero)
        }
        watch(orders.wakeDescriptor, EPOLLIN.rawValue, .max)
    }

    deinit {
        close(poll)
        buffer.deallocate()
    }

    func run() {
        var events = [epoll_event](repeating: epoll_event(), count: 1024)
        while !isStopped {
            let count = epoll_wait(poll, &events, Int32(events.count), 10)
            for event in events.prefix(max(0, Int(count))) {
                if event.data.u64 == .max {
                    for order in orders.drain() { perform(order) }
                } else {
                    react(event, readers[Int(event.data.u64)])
                }
            }
            let now = StreamCrowd.now
            if isActive { connect(now) }
            if now - publishedAt > .milliseconds(100) { report(now) }
        }
        for reader in readers { reader.leave(until: .zero) }
    }

    private func perform(_ order: StreamCrowd.Order) {
        switch order {
        case .open(let rate): (isActive, perSecond, budget, filledAt) = (true, rate, 0, StreamCrowd.now)
        case .committed(let revision, let time): status.latency.commit(revision, at: time)
        case .measure: status.latency = StreamLatency()
        case .leave:
            isActive = false
            for reader in readers { reader.leave(until: .zero) }
        case .stop: isStopped = true
        }
    }

    private func connect(_ now: Duration) {
        budget = min(budget + (now - filledAt).inSeconds * Double(perSecond), Double(max(perSecond, 1)))
        filledAt = now
        for (index, reader) in readers.enumerated() where budget >= 1 && reader.isDue(now) {
            budget -= 1
            if let descriptor = reader.connect(port: port) {
                let events = EPOLLIN.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue
                watch(descriptor, events, UInt64(index))
            } else {
                lose(reader, now)
            }
        }
    }

    private func react(_ event: epoll_event, _ reader: StreamReader) {
        let now = StreamCrowd.now
        if event.events & EPOLLOUT.rawValue != 0, !reader.becameWritable(request) { return lose(reader, now) }
        guard event.events & ~EPOLLOUT.rawValue != 0 else { return }
        switch reader.read(into: buffer) {
        case .moved(let old, let new): status.latency.move(from: old, to: new, at: now)
        case .refused(let seconds):
            status.refused += 1
            reader.leave(until: now + .seconds(seconds) + .milliseconds(Int.random(in: 0...1_000)))
        case .closed: lose(reader, now)
        case .nothing:
            if reader.kind == .slow, event.events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue) != 0 { lose(reader, now) }
        }
    }

    /// A stream ended or failed: the reader returns as `retry` says, after one to five seconds.
    private func lose(_ reader: StreamReader, _ now: Duration) {
        status.lost += 1
        reader.leave(until: now + .milliseconds(Int.random(in: 1_000...5_000)))
    }

    private func report(_ now: Duration) {
        publishedAt = now
        let open = readers.filter { $0.kind == .prompt && $0.isOpen }
        status.open = open.count
        status.lowest = open.map(\.revision).min() ?? 0
        publish(status)
    }

    private func watch(_ descriptor: Int32, _ events: UInt32, _ data: UInt64) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = data
        _ = epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event)
    }
}
