// The state of an event loop: descriptors, timers and pending output, all on one thread.

internal import CLinux
internal import Glibc
internal import ScoreTypes

/// The loop, for code that runs on its thread; must not leave the thread.
public final class LoopContext {
    let inbox: LoopInbox
    let scratch = LoopScratch()
    private let poll: Int32
    private var pollables: [Slot] = []
    private var freeSlots: [Int] = []
    private var timers = TimerQueue<(LoopContext) -> Void>()
    private var unflushed: [any Flushable] = []
    private(set) var nowInNanoseconds: Int64 = 0
    private var asleepInNanoseconds: Int64 = 0
    var kept: [UInt64: AnyObject] = [:]
    var nextKey: UInt64 = 1
    var trustedContexts: [TLSTrust: TLSContext] = [:]

    /// True once the loop is being stopped; start nothing new.
    public private(set) var isStopping = false

    private struct Slot {
        var pollable: (any Pollable)?
        var generation: UInt32 = 0
        var isWatchedForWriting = false
    }

    init(inbox: LoopInbox) {
        self.inbox = inbox
        poll = epoll_create1(Int32(EPOLL_CLOEXEC))
        nowInNanoseconds = Self.readClock()
    }

    deinit { close(poll) }

    /// Monotonic time of the last wake-up; one reading serves a whole batch of events.
    public var now: Duration { .nanoseconds(nowInNanoseconds) }

    /// Time for which the thread has waited for events since its start; the rest of its life it was at work.
    public var asleep: Duration { .nanoseconds(asleepInNanoseconds) }

    /// Runs the body on this loop after an interval.
    ///
    /// - Returns: The timer; nil if `HTTP2Limits.loopTimers` are set.
    @discardableResult
    public func schedule(after interval: Duration, _ body: @escaping (LoopContext) -> Void) -> LoopTimer? {
        timers.insert(due: nowInNanoseconds &+ max(0, interval.nanosecondsClamped), body)
    }

    /// Cancels a timer; no effect on one that has fired.
    public func cancel(_ timer: LoopTimer) { timers.cancel(timer) }

    func flushLater(_ flushable: any Flushable) { unflushed.append(flushable) }

    // MARK: Descriptors

    /// Watches a descriptor; nil if the system refuses.
    func watch(_ descriptor: Int32, _ pollable: any Pollable, writable: Bool) -> Watch? {
        let index: Int
        if let free = freeSlots.popLast() {
            index = free
        } else {
            index = pollables.count
            pollables.append(Slot())
        }
        pollables[index].pollable = pollable
        pollables[index].isWatchedForWriting = writable
        let watch = Watch(index: index, generation: pollables[index].generation, descriptor: descriptor)
        guard control(EPOLL_CTL_ADD, watch, writable: writable) else {
            release(index)
            return nil
        }
        return watch
    }

    func update(_ watch: Watch, writable: Bool) {
        guard pollables[watch.index].isWatchedForWriting != writable else { return }
        pollables[watch.index].isWatchedForWriting = writable
        _ = control(EPOLL_CTL_MOD, watch, writable: writable)
    }

    func unwatch(_ watch: Watch) {
        guard pollables[watch.index].generation == watch.generation else { return }
        _ = control(EPOLL_CTL_DEL, watch, writable: false)
        release(watch.index)
    }

    private func release(_ index: Int) {
        pollables[index].pollable = nil
        pollables[index].generation &+= 1
        freeSlots.append(index)
    }

    private func control(_ operation: Int32, _ watch: Watch, writable: Bool) -> Bool {
        var event = epoll_event()
        event.events = EPOLLIN.rawValue | EPOLLRDHUP.rawValue | (writable ? EPOLLOUT.rawValue : 0)
        event.data.u64 = UInt64(watch.generation) << 32 | UInt64(watch.index)
        return epoll_ctl(poll, operation, watch.descriptor, &event) == 0
    }

    // MARK: The thread

    func run() {
        var wake = epoll_event()
        wake.events = EPOLLIN.rawValue
        wake.data.u64 = .max
        _ = epoll_ctl(poll, EPOLL_CTL_ADD, inbox.wakeDescriptor, &wake)
        var events = [epoll_event](repeating: epoll_event(), count: HTTP2Limits.loopEventsPerWakeUp)
        while !inbox.isStopping {
            let start = Self.readClock()
            let timeout = sleepMilliseconds(from: start)
            let count = epoll_wait(poll, &events, Int32(HTTP2Limits.loopEventsPerWakeUp), timeout)
            nowInNanoseconds = Self.readClock()
            asleepInNanoseconds &+= nowInNanoseconds &- start
            for index in 0..<max(0, Int(count)) { dispatch(events[index]) }
            runTimers()
            flushAll()
        }
        shutDown()
    }

    private func dispatch(_ event: epoll_event) {
        guard event.data.u64 != .max else {
            for body in inbox.drain() { body(self) }
            return
        }
        let index = Int(event.data.u64 & 0xffff_ffff)
        guard pollables[index].generation == UInt32(event.data.u64 >> 32) else { return }
        let failed = event.events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        pollables[index].pollable?.ready(
            readable: failed || event.events & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0,
            writable: failed || event.events & EPOLLOUT.rawValue != 0
        )
    }

    private func runTimers() {
        while let body = timers.popDue(at: nowInNanoseconds) { body(self) }
    }

    private func flushAll() {
        // Flushing may fail streams, whose owners may submit again: repeat until nothing is left.
        while !unflushed.isEmpty {
            let batch = unflushed
            unflushed.removeAll(keepingCapacity: true)
            for flushable in batch { flushable.flush() }
        }
    }

    private func shutDown() {
        isStopping = true
        for body in inbox.drain() { body(self) }
        for slot in pollables { slot.pollable?.loopWillStop() }
        flushAll()
        kept = [:]
        unflushed = []
        timers = TimerQueue()
    }

    private func sleepMilliseconds(from start: Int64) -> Int32 {
        guard let due = timers.nextDue() else { return Int32(HTTP2Limits.loopSleepMilliseconds) }
        let nanoseconds = max(0, due &- start)
        return Int32(min(HTTP2Limits.loopSleepMilliseconds, (nanoseconds &+ 999_999) / 1_000_000))
    }

    private static func readClock() -> Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) &* 1_000_000_000 &+ Int64(time.tv_nsec)
    }
}

/// A watched descriptor; the generation distinguishes a reused slot from the old one.
struct Watch {
    let index: Int
    let generation: UInt32
    let descriptor: Int32
}

/// An object with a descriptor on a loop.
protocol Pollable: AnyObject {
    func ready(readable: Bool, writable: Bool)
    func loopWillStop()
}

/// An object that collects output during a wake-up and sends it at the end.
protocol Flushable: AnyObject {
    func flush()
}

extension Duration {
    /// Nanoseconds, clamped to a quarter of the range of 64 bits.
    var nanosecondsClamped: Int64 {
        let (seconds, attoseconds) = components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
        guard !overflow else { return seconds < 0 ? .min / 4 : .max / 4 }
        return min(max(product, .min / 4), .max / 4) &+ attoseconds / 1_000_000_000
    }
}
