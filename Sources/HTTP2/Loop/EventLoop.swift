// One thread waits for many sockets; each connection lives on one loop, and other threads send work to it.

internal import COpenSSL
internal import ScoreTypes
internal import Synchronization

/// A thread that serves connections and timers; objects made on it stay on it.
public final class EventLoop: Sendable {
    private let inbox: LoopInbox

    /// Starts the thread.
    ///
    /// - Parameter name: Thread name; the system shows at most 15 bytes.
    public init(name: String) {
        let inbox = LoopInbox(limit: HTTP2Limits.loopWorkWaiting)
        self.inbox = inbox
        OwnedThread.start(name: name) {
            LoopContext(inbox: inbox).run()
            // Later, the system would free this thread's OpenSSL memory, perhaps while the process ends.
            OPENSSL_thread_stop()
            inbox.end()
        }
    }

    deinit { inbox.stop() }

    /// Posts work to the thread, in order.
    ///
    /// Accepted work runs even if the loop is stopped meanwhile; it then reads `LoopContext.isStopping` as true.
    ///
    /// - Returns: False if `HTTP2Limits.loopWorkWaiting` pieces wait or the loop has stopped; then the work never runs.
    @discardableResult
    public func execute(_ body: @escaping @Sendable (LoopContext) -> Void) -> Bool { inbox.post(body) }

    /// Stops the thread: closes its connections after failing their requests, and returns before that is done.
    ///
    /// A second call has no effect.
    public func stop() { inbox.stop() }

    /// Waits until the thread has closed its connections and uses OpenSSL no more; `stop` makes it end.
    ///
    /// A process that ends earlier may crash: OpenSSL frees its memory at the end of the process.
    public func ended() async { await inbox.ended() }
}

/// State shared by the thread and its callers: the mailbox, and whether it accepts work.
final class LoopInbox: Sendable {
    private let mailbox: Mailbox<@Sendable (LoopContext) -> Void>
    private let state = Mutex<State>(.open)

    private let waiting = Mutex<[CheckedContinuation<Void, Never>]>([])

    private enum State { case open, stopping, ended }

    init(limit: Int) { mailbox = Mailbox(limit: limit) }

    var wakeDescriptor: Int32 { mailbox.wakeDescriptor }
    var isStopping: Bool { state.withLock { $0 != .open } }

    func post(_ body: @escaping @Sendable (LoopContext) -> Void) -> Bool {
        state.withLock { $0 == .open && mailbox.post(body) }
    }

    func stop() {
        let wakes = state.withLock { state in
            guard state == .open else { return false }
            state = .stopping
            return true
        }
        if wakes { Descriptor.wake(mailbox.wakeDescriptor) }
    }

    func end() {
        let waiting = waiting.withLock { waiting in
            state.withLock { $0 = .ended }
            defer { waiting = [] }
            return waiting
        }
        for continuation in waiting { continuation.resume() }
    }

    func ended() async {
        await withCheckedContinuation { continuation in
            let hasEnded = waiting.withLock { waiting in
                let hasEnded = state.withLock { $0 == .ended }
                if !hasEnded { waiting.append(continuation) }
                return hasEnded
            }
            if hasEnded { continuation.resume() }
        }
    }

    func drain() -> [@Sendable (LoopContext) -> Void] { mailbox.drain() }
}
