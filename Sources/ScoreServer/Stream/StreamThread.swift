// The thread of a loop waits for work and for its sockets; only what happened costs time.

import CLinux
import Glibc
import Metrics
import NIOCore
import ScoreTypes

/// The streams of one loop; must not leave the thread of the loop.
final class StreamThread {
    private let orders: Mailbox<StreamLoop.Order>
    private let history: ChangeHistory
    private let timing: StreamTiming
    private let unsentMax: Int
    private let metrics: StreamMetrics
    private let clock: ServiceClock
    private let poll = epoll_create1(Int32(EPOLL_CLOEXEC))
    private var clients: [StreamID: StreamClient] = [:]
    private var watchers: [MatchID: [StreamID: StreamClient]] = [:]
    /// The newest state of each watched match, as it was sent last.
    private var frames: [MatchID: StreamFrame] = [:]
    /// Streams that open in a later turn, so that a storm of them delays no state.
    private var waiting: ArraySlice<NewStream> = []
    /// Bytes that wait for slow readers, and what the gauge shows of them.
    private var unsent = (bytes: 0, shown: 0)
    private var memory = FreedMemory()
    private var lastTick: Duration
    private var isStopped = false

    init(
        orders: Mailbox<StreamLoop.Order>,
        history: ChangeHistory,
        timing: StreamTiming,
        unsentMax: Int,
        metrics: StreamMetrics,
        clock: ServiceClock
    ) {
        self.history = history
        self.unsentMax = unsentMax
        (self.orders, self.timing, self.metrics, self.clock) = (orders, timing, metrics, clock)
        lastTick = clock.monotonic
        watch(orders.wakeDescriptor, EPOLLIN.rawValue, .max)
    }

    deinit { close(poll) }

    /// Works until it is stopped.
    func run() {
        var events = [epoll_event](repeating: epoll_event(), count: ServerLimits.streamEventsPerTurn)
        while !isStopped {
            let count = epoll_wait(poll, &events, Int32(events.count), sleepMilliseconds())
            var turn = StreamTurn(now: clock.monotonic, lingerAfterEnd: timing.lingerAfterEnd)
            for event in events.prefix(max(0, Int(count))) {
                if event.data.u64 == .max {
                    for order in orders.drain() { perform(order, &turn) }
                } else {
                    react(to: event, &turn)
                }
            }
            for stream in waiting.prefix(ServerLimits.streamOpensPerTurn) { open(stream, &turn) }
            waiting = waiting.dropFirst(ServerLimits.streamOpensPerTurn)
            if waiting.isEmpty { waiting = [] }
            if turn.now - lastTick >= timing.tick { tick(&turn) }
            metrics.count(turn)
        }
    }

    private func sleepMilliseconds() -> Int32 {
        guard waiting.isEmpty else { return 0 }
        let rest = lastTick + timing.tick - clock.monotonic
        return Int32(clamping: min(max(0, rest.milliseconds) + 1, timing.tick.milliseconds))
    }

    private func perform(_ order: StreamLoop.Order, _ turn: inout StreamTurn) {
        switch order {
        case .open(let stream): waiting.append(stream)
        case .publish(let batch): publish(batch, &turn)
        case .notify(let notice):
            for client in (watchers[notice.match] ?? [:]).values { act(on: client) { $0.notify(notice, &turn) } }
        case .close(let id, let reason, let wait):
            if let client = clients[id] { act(on: client) { $0.close(reason, reconnectAfter: wait, &turn) } }
        case .list(let match, let take):
            let listed = match.map { watchers[$0] ?? [:] } ?? clients
            take(listed.values.map { $0.description(at: turn.now) })
        case .drain(let interval):
            for stream in waiting { open(stream, &turn) }
            waiting = []
            for client in clients.values {
                let wait = Int64.random(in: ServerLimits.streamReturnMilliseconds.lowerBound...interval.milliseconds)
                act(on: client) { $0.close(.draining, reconnectAfter: .milliseconds(wait), &turn) }
            }
        case .stop: isStopped = true
        }
    }

    private func publish(_ batch: StreamBatch, _ turn: inout StreamTurn) {
        guard let readers = watchers[batch.match] else { return }
        let started = clock.monotonic
        frames[batch.match] = batch.state
        for client in readers.values { act(on: client) { $0.offer(batch, &turn) } }
        metrics.fanOut.record(duration: clock.monotonic - started)
    }

    private func open(_ stream: NewStream, _ turn: inout StreamTurn) {
        let client = StreamClient(stream, timing: timing, now: turn.now)
        clients[client.id] = client
        for match in client.matches { watchers[match, default: [:]][client.id] = client }
        memory.changed()
        let opening = StreamOpening(
            heads: stream.heads(),
            claimed: stream.claimed,
            balls: stream.balls.map { (starts: $0, history: history) },
            isSingle: stream.isSingle,
            timing: timing,
            node: stream.node,
            now: clock.wall,
            frame: frame(of:)
        )
        metrics.opened(opening.resume)
        act(on: client) { $0.open(opening, &turn) }
        // An edge-triggered watch costs no call when the reader falls behind or catches up.
        watch(stream.socket.descriptor, EPOLLOUT.rawValue | EPOLLRDHUP.rawValue | EPOLLET.rawValue, client.id.number)
    }

    private func frame(of view: MatchView) -> StreamFrame {
        if let known = frames[view.match], known.revision == view.revision { return known }
        let frame = StreamFrame(view)
        frames[view.match] = frame
        return frame
    }

    private func react(to event: epoll_event, _ turn: inout StreamTurn) {
        guard let client = clients[StreamID(number: event.data.u64)] else { return }
        act(on: client) { client in
            if event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue | EPOLLRDHUP.rawValue) != 0 {
                client.hungUp(client.socket.hasTimedOut ? .vanished : .client)
            } else {
                client.becameWritable(&turn)
            }
        }
    }

    private func tick(_ turn: inout StreamTurn) {
        lastTick = turn.now
        let wall = clock.wall.milliseconds
        let ping = EventText.event("ping") { $0.field("t", wall) }
        for client in clients.values { act(on: client) { $0.tick(ping: ping, timing: timing, &turn) } }
        metrics.unsent.increment(by: Double(unsent.bytes - unsent.shown))
        unsent.shown = unsent.bytes
        if memory.tick() { malloc_trim(0) }
    }

    /// Does something with a client, and removes it when its stream is over then.
    private func act(on client: StreamClient, _ body: (StreamClient) -> Void) {
        let before = client.unsentBytes
        if client.over == nil { body(client) }
        unsent.bytes += client.unsentBytes - before
        if client.over != nil { remove(client) }
        if unsent.bytes > unsentMax { cutOffSlowest() }
    }

    /// Ends the streams with the most unsent bytes until three quarters of the bound are left.
    private func cutOffSlowest() {
        for client in clients.values.sorted(by: { $0.unsentBytes > $1.unsentBytes }) {
            guard unsent.bytes > unsentMax / 4 * 3 else { return }
            client.cutOff()
            remove(client)
        }
    }

    private func remove(_ client: StreamClient) {
        guard let reason = client.over, clients.removeValue(forKey: client.id) != nil else { return }
        unsent.bytes -= client.unsentBytes
        for match in client.matches {
            watchers[match]?[client.id] = nil
            if watchers[match]?.isEmpty == true { (watchers[match], frames[match]) = (nil, nil) }
        }
        memory.changed()
        metrics.closed(reason)
    }

    private func watch(_ descriptor: Int32, _ events: UInt32, _ data: UInt64) {
        var event = epoll_event()
        event.events = events
        event.data.u64 = data
        _ = epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event)
    }
}
