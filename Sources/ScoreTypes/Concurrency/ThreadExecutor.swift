// An actor that calls blocking C runs here, on one thread that nobody else waits for.

internal import Glibc
internal import Synchronization

/// Runs an actor's jobs on one thread of their own, in order, until `stop`.
public final class ThreadExecutor: SerialExecutor {
    private let queue = Mutex<State>(State())
    private let ready: Semaphore

    /// Starts the thread.
    public init(name: String) {
        let ready = Semaphore()
        self.ready = ready
        OwnedThread.start(name: name) { [self] in run() }
    }

    /// Takes a job of the actor.
    public func enqueue(_ job: consuming ExecutorJob) {
        let unowned = UnownedJob(job)
        queue.withLock { $0.jobs.append(unowned) }
        ready.signal()
    }

    /// Ends the thread once the jobs that wait have run; the actor must get no more work.
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
            for job in jobs { job.runSynchronously(on: asUnownedSerialExecutor()) }
            if stopped && jobs.isEmpty { return }
            if stopped { ready.signal() }
        }
    }

    private struct State {
        var jobs: [UnownedJob] = []
        var stopped = false
    }
}

/// A counting semaphore of the system, allocated once since it must not move.
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

    /// The system's own calls guard what lies behind the pointer.
    private struct Storage: @unchecked Sendable {
        let pointer: UnsafeMutablePointer<sem_t>
    }
}
