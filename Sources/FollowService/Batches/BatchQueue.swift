// The decisions of a batcher as a value: which calls are refused, when a batch is ready, which calls it has.

/// The calls that wait for a batcher, and whether it is at work.
struct BatchQueue<Call: BatchedCall> {
    typealias Answer = Result<Call.Outcome, FollowError>
    typealias Caller = UnsafeContinuation<Answer, Never>

    /// Calls that are written together, and the caller of each.
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

    /// The effect of a new call.
    enum Arrival {
        case refuse(FollowError)
        case wait
        /// The batcher is idle and has to start.
        case start
        /// The batch is full, so that the batcher continues.
        case full(CheckedContinuation<Void, Never>)
    }

    private let bounds: BatchBounds
    /// Full batches, the oldest first; the ones before `firstFull` have been taken.
    private var full: [Batch] = []
    private var firstFull = 0
    /// The batch that is being filled.
    private var partial = Batch()
    private var isDraining = false
    private var gathering: CheckedContinuation<Void, Never>?
    private var hasTimedOut = false

    init(bounds: BatchBounds) { self.bounds = bounds }

    var count: Int { (full.count - firstFull) * bounds.rowsMax + partial.calls.count }
    private var hasFullBatch: Bool { firstFull < full.count }

    mutating func take(_ call: Call, _ caller: Caller, at now: Duration) -> Arrival {
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

    /// Stores the batcher's continuation; true when the batch is ready by now.
    mutating func beginGathering(_ continuation: CheckedContinuation<Void, Never>) -> Bool {
        if hasTimedOut || hasFullBatch { return true }
        gathering = continuation
        return false
    }

    /// The batcher's continuation; nil when it does not wait.
    mutating func endGathering() -> CheckedContinuation<Void, Never>? {
        hasTimedOut = gathering == nil
        defer { gathering = nil }
        return gathering
    }

    /// Takes the next batch; an empty one makes the batcher idle.
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
