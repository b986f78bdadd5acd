// Actors that call blocking C functions run on one thread of their own.

internal import Glibc

/// Runs an actor's jobs on one thread, in order, until `stop`.
public final class ThreadExecutor: SerialExecutor {
    /// The jobs; nil ends the thread.
    ///
    /// An executor cannot refuse a job, so the callers of its actor are limited instead.
    private let jobs = Mailbox<UnownedJob?>(limit: .max)

    /// Starts the thread.
    ///
    /// - Parameter name: Name of the thread; the system shows at most 15 bytes.
    public init(name: String) { OwnedThread.start(name: name) { [self] in run() } }

    /// Adds a job of the actor.
    public func enqueue(_ job: consuming ExecutorJob) { jobs.post(UnownedJob(job)) }

    /// Ends the thread after the enqueued jobs have run; the actor must get no more jobs.
    public func stop() { jobs.post(nil) }

    private func run() {
        var isStopped = false
        while true {
            var descriptor = pollfd(fd: jobs.wakeDescriptor, events: Int16(POLLIN), revents: 0)
            if !isStopped { poll(&descriptor, 1, -1) }
            let taken = jobs.drain()
            if isStopped && taken.isEmpty { return }
            for job in taken {
                if let job { job.runSynchronously(on: asUnownedSerialExecutor()) } else { isStopped = true }
            }
        }
    }
}
