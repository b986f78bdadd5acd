// One thread that waits for sockets; every connection belongs to exactly one of these for its whole life.

internal import ScoreTypes

/// A thread with an epoll; work is handed over through a bounded mailbox.
public final class EventLoop: Sendable {
    /// Hand-overs that may wait: a thousand connections could each post dozens before one turn of the loop.
    public static let backlogMax = 65_536

    enum Command: Sendable {
        case run(@Sendable (LoopContext) -> Void)
        case stop
    }

    private let mailbox = Mailbox<Command>(limit: EventLoop.backlogMax)

    /// Starts the thread.
    public init(name: String) {
        let mailbox = mailbox
        OwnedThread.start(name: name) { LoopContext(mailbox: mailbox)?.run() }
    }

    deinit { mailbox.post(.stop) }

    /// Runs a body on the loop's thread, in order; false when the mailbox is full and nothing will run.
    @discardableResult
    public func execute(_ body: @escaping @Sendable (LoopContext) -> Void) -> Bool { mailbox.post(.run(body)) }

    /// Ends the thread after what was handed over before; connections that are open are closed.
    public func stop() { mailbox.post(.stop) }
}
