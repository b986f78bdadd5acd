// One thread that waits for many sockets: connections live on exactly one loop, and work is handed over by message.

internal import ScoreTypes
internal import Synchronization

/// A thread that serves connections and timers; everything made on it stays on it.
public final class EventLoop: Sendable {
    /// How many pieces of work may wait for the thread, a bound on memory when it is slower than its callers.
    public static let waitingMax = 65_536

    /// What the thread is called in the system's lists.
    public let name: String
    private let inbox: LoopInbox

    /// Starts the thread.
    ///
    /// - Parameter name: At most 15 bytes are shown by the system.
    public init(name: String) {
        self.name = name
        let inbox = LoopInbox(limit: Self.waitingMax)
        self.inbox = inbox
        OwnedThread.start(name: name) { LoopContext(inbox: inbox).run() }
    }

    deinit { inbox.stop() }

    /// Hands work to the thread, in order; false when the mailbox is full or the loop has stopped (then it never runs).
    ///
    /// Work that was accepted runs even when the loop is stopped meanwhile; it then sees `LoopContext.isStopping`.
    @discardableResult
    public func execute(_ body: @escaping @Sendable (LoopContext) -> Void) -> Bool { inbox.post(body) }

    /// Ends the thread soon: its connections are closed and their requests failed first.
    ///
    /// Repeating it does no harm.
    public func stop() { inbox.stop() }
}

/// What the thread and its callers share: the mailbox, and whether it is still open.
final class LoopInbox: Sendable {
    private let mailbox: Mailbox<@Sendable (LoopContext) -> Void>
    private let state = Mutex<State>(.open)

    private enum State { case open, stopping }

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

    func drain() -> [@Sendable (LoopContext) -> Void] { mailbox.drain() }
}
