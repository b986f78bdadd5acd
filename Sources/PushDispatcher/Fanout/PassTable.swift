// One walk through one bucket is a pass; the bucket is complete when the pass has nothing left in the air.

internal import ScoreTypes

/// Counts what each pass still waits for, in slots that are used again.
struct PassTable {
    struct Pass {
        let bucket: Int16
        let revision: Int64
        let hasAlert: Bool
        /// Requests in flight and repeats waiting.
        var outstanding: Int32 = 0
        var sends: Int32 = 0
        var isWalked = false
        /// Broken off before its end: what it sent does not make the bucket complete.
        var isAbandoned = false
    }

    /// Requests of open passes that have their final answer: what a crash now would repeat beside what is in the air.
    private(set) var answeredInOpen = 0

    private var openByBucket = [Int32](repeating: 0, count: Bucket.count)
    private var passes: [Pass] = []
    private var free: [Int32] = []

    var isFull: Bool { free.isEmpty && passes.count >= PushLimits.passes }
    var openCount: Int { passes.count - free.count }

    mutating func open(bucket: Int16, revision: Int64, hasAlert: Bool) -> Int32 {
        let pass = Pass(bucket: bucket, revision: revision, hasAlert: hasAlert)
        openByBucket[Int(bucket)] += 1
        guard let slot = free.popLast() else {
            passes.append(pass)
            return Int32(passes.count - 1)
        }
        passes[Int(slot)] = pass
        return slot
    }

    /// Whether an earlier walk of the bucket still waits for answers.
    func isWaiting(for bucket: Int) -> Bool { openByBucket[bucket] > 0 }

    mutating func sent(_ slot: Int32) {
        passes[Int(slot)].outstanding += 1
        passes[Int(slot)].sends += 1
    }

    subscript(slot: Int32) -> Pass { passes[Int(slot)] }

    /// Requests of a pass that have their final answer.
    func answered(in slot: Int32) -> Int { Int(passes[Int(slot)].sends - passes[Int(slot)].outstanding) }

    /// One token of the pass has its final answer; returns the pass when that completed it.
    mutating func settle(_ slot: Int32) -> Pass? {
        passes[Int(slot)].outstanding -= 1
        answeredInOpen += 1
        return closeIfComplete(slot)
    }

    /// The walk came to its end; returns the pass when that completed it.
    mutating func walked(_ slot: Int32) -> Pass? {
        passes[Int(slot)].isWalked = true
        return closeIfComplete(slot)
    }

    /// The walk was broken off.
    mutating func abandon(_ slot: Int32) {
        passes[Int(slot)].isAbandoned = true
        _ = walked(slot)
    }

    private mutating func closeIfComplete(_ slot: Int32) -> Pass? {
        let pass = passes[Int(slot)]
        guard pass.isWalked, pass.outstanding == 0 else { return nil }
        answeredInOpen -= Int(pass.sends)
        openByBucket[Int(pass.bucket)] -= 1
        free.append(slot)
        return pass.isAbandoned ? nil : pass
    }
}
