// One walk through one bucket is a pass; the bucket is complete when all requests of the pass have final answers.

internal import ScoreTypes

/// Counts the open requests of each pass, in slots that are reused.
struct PassTable {
    struct Pass {
        let bucket: Int16
        let revision: Int64
        let hasAlert: Bool
        /// Open requests and waiting retries.
        var outstanding: Int32 = 0
        var sends: Int32 = 0
        var isWalked = false
        /// Abandoned before its end: its requests do not complete the bucket.
        var isAbandoned = false
    }

    /// Requests of open passes with a final answer: a crash repeats them.
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

    /// Whether an earlier pass of the bucket waits for answers.
    func isWaiting(for bucket: Int) -> Bool { openByBucket[bucket] > 0 }

    mutating func sent(_ slot: Int32) {
        passes[Int(slot)].outstanding += 1
        passes[Int(slot)].sends += 1
    }

    /// Requests of a pass with a final answer.
    func answered(in slot: Int32) -> Int { Int(passes[Int(slot)].sends - passes[Int(slot)].outstanding) }

    /// Notes the final answer of one token; returns the pass if it is complete.
    mutating func settle(_ slot: Int32) -> Pass? {
        passes[Int(slot)].outstanding -= 1
        answeredInOpen += 1
        return closeIfComplete(slot)
    }

    /// Notes the end of the walk; returns the pass if it is complete.
    mutating func walked(_ slot: Int32) -> Pass? {
        passes[Int(slot)].isWalked = true
        return closeIfComplete(slot)
    }

    /// Abandons the pass.
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
