// Calls share statements, since an fsync costs more than hundreds of rows; one batch runs at a time.

internal import Postgres
internal import ScoreTypes
internal import Synchronization

/// Gathers the calls of one range of buckets, runs them together and returns to each caller its own outcome.
final class CallBatcher<Call: BatchedCall>: Sendable {
    typealias Work = @Sendable ([Call]) async throws -> [Call.Outcome]
    private typealias Queue = BatchQueue<Call>

    private let bounds: BatchBounds
    private let clock: ServiceClock
    private let queue: Mutex<Queue>
    private let work: Work

    /// - `work`: Runs calls (sorted, one for each key) in one transaction; outcomes in the same order.
    init(bounds: BatchBounds, clock: ServiceClock, work: @escaping Work) {
        self.bounds = bounds
        self.clock = clock
        self.work = work
        queue = Mutex(Queue(bounds: bounds))
    }

    /// Calls that wait for their batch.
    var waitingCount: Int { queue.withLock { $0.count } }

    /// Runs the call with the next batch.
    ///
    /// It stays on its caller's executor, since two switches cost a tenth of a call.
    ///
    /// - Throws: `busy` when too many calls wait, `unavailable` when the batch failed, `stopped`.
    nonisolated(nonsending) func submit(_ call: Call) async throws(FollowError) -> Call.Outcome {
        // Unchecked, since the check costs as much as the rest of a call; each caller is resumed in `flush` alone.
        let answer = await withUnsafeContinuation { (caller: Queue.Caller) in
            switch queue.withLock({ $0.take(call, caller, at: clock.monotonic) }) {
            case .refuse(let error): caller.resume(returning: .failure(error))
            case .wait: break
            case .start: Task { await drain() }
            case .full(let gathering): gathering.resume()
            }
        }
        return try answer.get()
    }

    /// Runs batch after batch until none waits.
    private func drain() async {
        while true {
            await gather()
            let batch = queue.withLock { $0.takeBatch() }
            guard !batch.calls.isEmpty else { return }
            await flush(batch)
        }
    }

    /// Waits until the batch is full or its first call has waited long enough.
    private func gather() async {
        guard let pause = queue.withLock({ $0.pause(at: clock.monotonic) }) else { return }
        let timer = Task {
            try await Task.sleep(for: pause)
            queue.withLock { $0.endGathering() }?.resume()
        }
        await withCheckedContinuation { (gathering: CheckedContinuation<Void, Never>) in
            let isReady = queue.withLock { $0.beginGathering(gathering) }
            if isReady { gathering.resume() }
        }
        timer.cancel()
    }

    private func flush(_ waiting: Queue.Batch) async {
        let batch = CallBatch(waiting.calls)
        do {
            let outcomes = batch.outcomes(from: try await runOnceOrTwice(batch.rows)) ?? []
            for (place, caller) in waiting.callers.enumerated() {
                caller.resume(returning: place < outcomes.count ? .success(outcomes[place]) : .failure(.stopped))
            }
        } catch {
            let failure = FollowError(error)
            for caller in waiting.callers { caller.resume(returning: .failure(failure)) }
        }
    }

    /// Runs calls, and repeats them when the connection fails; client sequences make the repetition harmless.
    ///
    /// There is one repetition, since an outage lasts longer than callers can wait.
    private func runOnceOrTwice(_ rows: [Call]) async throws -> [Call.Outcome] {
        do {
            return try await work(rows)
        } catch let error as PostgresError where error.kind == .connection || error.kind == .readOnly {
            return try await work(rows)
        }
    }
}
