// What a lane decides: whom to refuse, when a batch is ready, what goes into it.

/// The calls that wait in a lane, and whether somebody writes them.
struct LaneQueue<Call: LaneCall> {
    typealias Answer = Result<Call.Outcome, FollowError>
    typealias Caller = UnsafeContinuation<Answer, Never>

    /// Calls that are written together, and who waits for the outcome of each.
    struct Batch {
        private(set) var calls: [Call] = []
        private(set) var callers: [Caller] = []
        private(set) var since = Duration.zero

        mutating func append(_ call: Call, _ caller: Caller, at now: Duration) {
            if calls.isEmpty { since = now }
            calls.append(call)
            callers.append(caller)
        }
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
    /// Whole batches, the oldest first; those before `firstFull` are taken.
    private var full: [Batch] = []
    private var firstFull = 0
    /// The batch that still gathers.
    private var partial = Batch()
    private var isDraining = false
    private var gathering: CheckedContinuation<Void, Never>?
    private var hasTimedOut = false

    init(bounds: LaneBounds) { self.bounds = bounds }

    var count: Int { (full.count - firstFull) * bounds.rowsMax + partial.calls.count }
    private var hasFullBatch: Bool { firstFull < full.count }

    mutating func take(_ call: Call, _ caller: Caller, at now: Duration) -> Arrival {
        if isStopped { return .refuse(.stopped) }
        guard count < bounds.waitingMax else { return .refuse(.busy) }
        partial.append(call, caller, at: now)
        if partial.calls.count == bounds.rowsMax {
            full.append(partial)
            partial = Batch()
        }
        if !isDraining {
            isDraining = true
            return .start
        }
        if hasFullBatch, let gathering = endGathering() { return .full(gathering) }
        return .wait
    }

    /// How long the next batch may still gather; nil when it is ready.
    mutating func pause(at now: Duration) -> Duration? {
        hasTimedOut = false
        guard !partial.calls.isEmpty, !hasFullBatch else { return nil }
        let left = bounds.gatherMax - (now - partial.since)
        return left > .zero ? left : nil
    }

    /// Notes who waits for the batch; true when it became ready meanwhile.
    mutating func beginGathering(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        if hasTimedOut || hasFullBatch { return true }
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
    mutating func takeBatch() -> Batch {
        if hasFullBatch {
            defer {
                full[firstFull] = Batch()
                firstFull += 1
                if !hasFullBatch { (full, firstFull) = ([], 0) }
            }
            return full[firstFull]
        }
        defer { partial = Batch() }
        if partial.calls.isEmpty { isDraining = false }
        return partial
    }
}
