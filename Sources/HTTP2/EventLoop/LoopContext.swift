// What lives on a loop's thread and never leaves it: descriptors, timers, connections that have something to send.

internal import CLinux
internal import Glibc
internal import ScoreTypes

/// A descriptor's owner, called when epoll reports it.
protocol LoopHandler: AnyObject {
    func descriptorIsReady(_ events: UInt32)
    /// The loop ends; nothing is called afterwards.
    func loopWillStop()
}

/// The inside of an event loop; only its own thread has it.
public final class LoopContext {
    /// Descriptors reported in one wait.
    private static let eventsPerWait = 256

    private let poll: Int32
    private let mailbox: Mailbox<EventLoop.Command>
    private var handlers: [Int32: any LoopHandler] = [:]
    private var timers = TimerQueue()
    private var atEndOfTurn: [() -> Void] = []
    private var isRunning = true
    private var lookUps: [UInt64: ([SocketAddress]) -> Void] = [:]
    private var lastLookUp: UInt64 = 0

    /// Real time since an arbitrary start, read once a turn.
    public private(set) var now: Duration = LoopContext.readClock()

    init?(mailbox: Mailbox<EventLoop.Command>) {
        self.mailbox = mailbox
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard poll >= 0 else { return nil }
        watch(mailbox.wakeDescriptor, for: EPOLLIN.rawValue)
    }

    deinit { close(poll) }

    /// Runs a body once after a time, on this thread.
    ///
    /// - Returns: What cancels it.
    @discardableResult
    public func schedule(after delay: Duration, _ body: @escaping () -> Void) -> TimerID {
        timers.add(at: Self.readClock() + delay, body)
    }

    /// Forgets a timer; one that has run is no error.
    public func cancel(_ timer: TimerID) { timers.cancel(timer) }

    /// Runs a body when all descriptors of this turn were served, so that many small writes become one.
    func afterTurn(_ body: @escaping () -> Void) { atEndOfTurn.append(body) }

    func add(_ descriptor: Int32, _ handler: any LoopHandler, for events: UInt32) {
        handlers[descriptor] = handler
        watch(descriptor, for: events)
    }

    func handler(of descriptor: Int32) -> (any LoopHandler)? { handlers[descriptor] }

    func change(_ descriptor: Int32, to events: UInt32) {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        _ = epoll_ctl(poll, EPOLL_CTL_MOD, descriptor, &event)
    }

    func remove(_ descriptor: Int32) {
        handlers[descriptor] = nil
        _ = epoll_ctl(poll, EPOLL_CTL_DEL, descriptor, nil)
    }

    /// Keeps what a look-up on another thread will call when it is back.
    func keep(_ completion: @escaping ([SocketAddress]) -> Void) -> UInt64 {
        lastLookUp += 1
        lookUps[lastLookUp] = completion
        return lastLookUp
    }

    func finish(_ lookUp: UInt64, with addresses: [SocketAddress]) {
        lookUps.removeValue(forKey: lookUp)?(addresses)
    }

    /// Hands a body over to this loop from any thread.
    var postBack: @Sendable (@escaping @Sendable (LoopContext) -> Void) -> Void {
        let mailbox = mailbox
        return { body in mailbox.post(.run(body)) }
    }

    func run() {
        var events = [epoll_event](repeating: epoll_event(), count: Self.eventsPerWait)
        while isRunning {
            let count = epoll_wait(poll, &events, Int32(events.count), waitMilliseconds())
            now = Self.readClock()
            for index in 0..<max(0, Int(count)) {
                let descriptor = events[index].data.fd
                if descriptor == mailbox.wakeDescriptor { takeCommands() }
                handlers[descriptor]?.descriptorIsReady(events[index].events)
            }
            for body in timers.due(at: now) { body() }
            while !atEndOfTurn.isEmpty {
                let bodies = atEndOfTurn
                atEndOfTurn = []
                for body in bodies { body() }
            }
        }
        for handler in handlers.values { handler.loopWillStop() }
        handlers = [:]
    }

    private func takeCommands() {
        for command in mailbox.drain() {
            switch command {
            case .run(let body): body(self)
            case .stop: isRunning = false
            }
        }
    }

    private func waitMilliseconds() -> Int32 {
        guard let next = timers.next else { return -1 }
        let left = (next - Self.readClock()).milliseconds
        return Int32(clamping: max(0, left + 1))
    }

    private func watch(_ descriptor: Int32, for events: UInt32) {
        var event = epoll_event(events: events, data: epoll_data_t(fd: descriptor))
        _ = epoll_ctl(poll, EPOLL_CTL_ADD, descriptor, &event)
    }

    private static func readClock() -> Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
