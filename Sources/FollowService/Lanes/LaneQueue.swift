// What a lane decides: whom to refuse, when a batch is ready, what goes into it.

/// The calls that wait in a lane, and whether somebody writes them.
struct LaneQueue<Call: LaneCall> {
    typealias Answer = Result<Call.Outcome, FollowError>

    /// A call and who waits for its outcome.
    struct Waiting {
        let call: Call
        let caller: CheckedContinuation<Answer, Never>
        let since: Duration
    }

    /// What a new call means.
    enum Arrival {
        case refuse(FollowError)
        case wait
        /// Nobody writes: somebody must begin.
        case start
        /// The batch is full: the writer need not wait longer.
        case full(CheckedContinuation<Void, Never>)
    }

    var isStopped = false
    private let bounds: LaneBounds
    private var waiting: [Waiting] = []
    private var isDraining = false
    private var gathering: CheckedContinuation<Void, Never>?
    private var hasTimedOut = false

    init(bounds: LaneBounds) { self.bounds = bounds }

    var count: Int { waiting.count }

    mutating func take(_ call: Call, _ caller: CheckedContinuation<Answer, Never>, at now: Duration) -> Arrival {
        if isStopped { return .refuse(.stopped) }
        guard waiting.count < bounds.waitingMax else { return .refuse(.busy) }
        waiting.append(Waiting(call: call, caller: caller, since: now))
        if !isDraining {
            isDraining = true
            return .start
        }
        if waiting.count >= bounds.rowsMax, let gathering = endGathering() { return .full(gathering) }
        return .wait
    }

    /// How long the next batch may still gather; nil when it is ready.
    mutating func pause(at now: Duration) -> Duration? {
        hasTimedOut = false
        guard let first = waiting.first, waiting.count < bounds.rowsMax else { return nil }
        let left = bounds.gatherMax - (now - first.since)
        return left > .zero ? left : nil
    }

    /// Notes who waits for the batch; true when it became ready meanwhile.
    mutating func beginGathering(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        if hasTimedOut || waiting.count >= bounds.rowsMax { return true }
        gathering = continuation
        return false
    }

    /// The one to wake, if the writer waits.
    mutating func endGathering() -> CheckedContinuation<Void, Never>? {
        hasTimedOut = gathering == nil
        defer { gathering = nil }
        return gathering
    }

    /// Takes the next batch; when none waits the writer's duty ends.
    mutating func takeBatch() -> [Waiting] {
        let batch = Array(waiting.prefix(bounds.rowsMax))
        waiting.removeFirst(batch.count)
        if batch.isEmpty { isDraining = false }
        return batch
    }
}
