// Actors that call blocking C functions, and tasks that nothing may delay, run on one thread of their own.

internal import Glibc
internal import Synchronization

/// Runs the jobs of an actor or of tasks on one thread, in order, until `stop`.
public final class ThreadExecutor: SerialExecutor, TaskExecutor {
    /// The owner of the jobs.
    public enum Owner: Sendable {
        case actor
        /// Tasks that prefer this executor, and the actors without an executor of their own that these tasks call.
        case tasks
    }

    private let owner: Owner
    private let queue = Mutex<State>(State())
    private let ready: Semaphore

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: Name of the thread; the system shows at most 15 bytes.
    ///   - owner: The owner of the jobs.
    public init(name: String, owner: Owner = .actor) {
        let ready = Semaphore()
        (self.ready, self.owner) = (ready, owner)
        OwnedThread.start(name: name) { [self] in run() }
    }

    /// Adds a job.
    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.withLock { $0.jobs.append(unowned) }
        ready.signal()
    }

    /// Ends the thread after the enqueued jobs have run; there must be no more jobs.
    public func stop() {
        queue.withLock { $0.stopped = true }
        ready.signal()
    }

    private func run() {
        while true {
            ready.wait()
            let (jobs, stopped) = queue.withLock { state in
                defer { state.jobs = [] }
                return (state.jobs, state.stopped)
            }
            for job in jobs {
                switch owner {
                case .actor: job.runSynchronously(on: asUnownedSerialExecutor())
                case .tasks: job.runSynchronously(on: asUnownedTaskExecutor())
                }
            }
            if stopped && jobs.isEmpty { return }
            if stopped { ready.signal() }
        }
    }

    private struct State {
        var jobs: [UnownedJob] = []
        var stopped = false
    }
}

/// A POSIX semaphore, allocated separately since it must not move.
///
/// A ``Mailbox`` would need a file descriptor, and its thread would wait for ever when the process has none left.
private final class Semaphore: Sendable {
    private let storage: Storage

    init() {
        storage = Storage(pointer: .allocate(capacity: 1))
        sem_init(storage.pointer, 0, 0)
    }

    deinit {
        sem_destroy(storage.pointer)
        storage.pointer.deallocate()
    }

    func signal() { sem_post(storage.pointer) }
    func wait() { while sem_wait(storage.pointer) != 0 {} }

    /// The functions of the system synchronise access to the semaphore behind the pointer.
    private struct Storage: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<sem_t>
    }
}
