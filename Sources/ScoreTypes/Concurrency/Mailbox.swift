// The interface to a thread: a bounded queue and a file descriptor that wakes the thread's poll.

internal import CLinux
internal import Glibc
internal import Synchronization

/// A bounded queue to one thread; posting never blocks.
public final class Mailbox<Message: Sendable>: Sendable {
    /// Readable after a message was posted; polled together with the thread's other descriptors.
    public let wakeDescriptor: Int32
    private let limit: Int
    private let queue = Mutex<[Message]>([])

    /// Makes a mailbox.
    ///
    /// - Parameter limit: Most messages in the queue.
    public init(limit: Int) {
        self.limit = limit
        wakeDescriptor = eventfd(0, Int32(EFD_NONBLOCK) | Int32(EFD_CLOEXEC))
    }

    deinit { close(wakeDescriptor) }

    /// Adds a message and wakes the thread.
    ///
    /// - Parameter message: The message.
    /// - Returns: False when the mailbox is full and nothing was added; the caller decides what that means.
    @discardableResult
    public func post(_ message: Message) -> Bool {
        let (accepted, wasEmpty) = queue.withLock { waiting in
            guard waiting.count < limit else { return (false, false) }
            waiting.append(message)
            return (true, waiting.count == 1)
        }
        if wasEmpty {
            var one: UInt64 = 1
            _ = write(wakeDescriptor, &one, 8)
        }
        return accepted
    }

    /// Removes all messages, in order; called by the owning thread only.
    public func drain() -> [Message] {
        var counter: UInt64 = 0
        _ = read(wakeDescriptor, &counter, 8)
        return queue.withLock { waiting in
            let taken = waiting
            waiting = []
            return taken
        }
    }
}
