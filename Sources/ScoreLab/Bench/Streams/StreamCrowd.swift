// The readers of the benchmark of streams share one thread, so that arrivals are the times of the kernel.

import CLinux
import Glibc
import ScoreTypes
import Synchronization

/// Many readers of one match's stream, in a process of their own.
final class StreamCrowd: Sendable {
    /// The states that some readers received.
    struct Arrivals: Sendable, Codable {
        var revision: Int64
        /// How many readers have moved to it or past it.
        var count: Int
        /// Monotonic time at which the kernel received it for the last of them.
        var last: Duration
    }

    /// The prompt readers that show a state.
    struct Showing: Sendable, Codable {
        var revision: Int64
        var readers: Int
    }

    /// The readers and their observations.
    struct Status: Sendable, Codable {
        /// Prompt readers with an open stream.
        var open = 0
        /// Streams that the server refused so far.
        var refused = 0
        /// Streams of prompt readers that ended or failed so far, other than by an order.
        var ended = 0
        /// Slow readers that the server has cut at least once.
        var slowCut = 0
        /// The prompt readers by the newest state that they showed, also between two streams; 0 for none.
        var showing: [Showing] = []
        /// The arrivals since the status before.
        var arrivals: [Arrivals] = []
    }

    /// The work of the thread.
    enum Order: Sendable {
        /// Connects all readers, at most so many a second.
        case open(perSecond: Int)
        /// Closes all sockets.
        case leave
        case stop

        /// Reads a line of the benchmark's process; nil for another text.
        init?(line: String) {
            let words = line.split(separator: " ")
            switch words.first {
            case "leave": self = .leave
            case "stop": self = .stop
            case "open": self = .open(perSecond: words.last.flatMap { Int($0) } ?? 1)
            default: return nil
            }
        }

        /// The line that another process reads.
        var line: String {
            switch self {
            case .open(let rate): "open \(rate)"
            case .leave: "leave"
            case .stop: "stop"
            }
        }
    }

    private let orders = Mailbox<Order>(limit: LabLimits.crowdOrders)

    /// Starts the thread; its readers do not connect yet.
    ///
    /// - `publish`: Receives the status about ten times a second.
    init(
        prompt: Int,
        slow: Int,
        vanishing: Int,
        port: Int,
        path: String,
        publish: @escaping @Sendable (Status) -> Void
    ) {
        let request = Array("GET \(path) HTTP/1.1\r\nHost: bench\r\nAccept: text/event-stream\r\n\r\n".utf8)
        let sizes: [(kind: StreamReader.Kind, count: Int)] = [
            (.prompt, prompt), (.slow, slow), (.vanishing, vanishing),
        ]
        let kinds = sizes.flatMap { Array(repeating: $0.kind, count: $0.count) }.shuffled()
        OwnedThread.start(name: "crowd") { [orders] in
            CrowdThread(kinds, orders: orders, port: UInt16(clamping: port), request: request, publish: publish).run()
        }
    }

    deinit { orders.post(.stop) }

    func post(_ order: Order) { orders.post(order) }

    /// Monotonic time, the same in all processes of this machine.
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
    private var arrivals: [Int64: StreamCrowd.Arrivals] = [:]
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
            // Source addresses from 127.1.0.1 on; 16 readers share one, below the server's limit of 20.
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
        // Phones have processors of their own: what the readers do must not slow down the server of the same machine.
        _ = nice(19)
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
        case .leave:
            isActive = false
            for reader in readers { reader.leave(until: .zero) }
        case .stop: isStopped = true
        }
    }

    private func connect(_ now: Duration) {
        // In a profile this look at all readers, at each turn, was a quarter of the thread's time.
        guard now - filledAt >= LabLimits.crowdConnects else { return }
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
        let hasEnd = event.events & (EPOLLRDHUP.rawValue | EPOLLHUP.rawValue) != 0
        switch reader.read(into: buffer, hasEnd: hasEnd) {
        case .moved(let old, let new, let time): move(from: old, to: new, at: Self.monotonic(of: time))
        case .refused(let seconds):
            status.refused += 1
            reader.leave(until: now + .seconds(seconds) + .milliseconds(Int.random(in: 0...1_000)))
        case .closed: lose(reader, now)
        case .nothing:
            if reader.kind == .slow, hasEnd { lose(reader, now) }
        }
    }

    /// The monotonic time of a wall time in nanoseconds; now for 0, which the kernel leaves when it notes no time.
    private static func monotonic(of nanoseconds: Int64) -> Duration {
        guard nanoseconds > 0 else { return StreamCrowd.now }
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        let age = Duration.seconds(time.tv_sec) + .nanoseconds(Int64(time.tv_nsec) - nanoseconds)
        return StreamCrowd.now - age
    }

    /// Notes that an open stream went from one state to a newer one; skipped states count as received.
    private func move(from old: Int64, to new: Int64, at time: Duration) {
        guard old < new else { return }
        for revision in max(old + 1, new - LabLimits.skippedStates)...new {
            // The readers are not read in the order of their arrivals.
            let known = arrivals[revision]
            arrivals[revision] = StreamCrowd.Arrivals(
                revision: revision,
                count: (known?.count ?? 0) + 1,
                last: max(known?.last ?? time, time)
            )
        }
    }

    /// A stream ended or failed: the reader returns as `retry` says, after one to five seconds.
    private func lose(_ reader: StreamReader, _ now: Duration) {
        if reader.kind == .prompt { status.ended += 1 }
        if reader.kind == .slow, reader.markCut() { status.slowCut += 1 }
        reader.leave(until: now + .milliseconds(Int.random(in: 1_000...5_000)))
    }

    private func report(_ now: Duration) {
        publishedAt = now
        var showing: [Int64: Int] = [:]
        status.open = 0
        for reader in readers where reader.kind == .prompt {
            if reader.isOpen { status.open += 1 }
            showing[reader.shown, default: 0] += 1
        }
        status.showing = showing.map { StreamCrowd.Showing(revision: $0.key, readers: $0.value) }
        status.arrivals = Array(arrivals.values)
        arrivals = [:]
        publish(status)
    }

    private func watch(_ descriptor: Int32, _ events: UInt32, _ data: UInt64) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = data
        _ = epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event)
    }
}
