// A run of all matches takes minutes; without a sign of life a person stops it.

import Foundation
import Synchronization

/// Writes how many proofs are done to the standard error, every ten seconds at most.
final class ProofProgress: Sendable {
    private let count: Int
    private let state: Mutex<(done: Int, shownAt: ContinuousClock.Instant)>

    init(of count: Int) {
        self.count = count
        state = Mutex((0, ContinuousClock.now))
    }

    /// One more proof is done.
    func advance() {
        let done = state.withLock { state -> Int? in
            state.done += 1
            guard ContinuousClock.now - state.shownAt >= LabLimits.progressInterval else { return nil }
            state.shownAt = ContinuousClock.now
            return state.done
        }
        if let done { FileHandle.standardError.write(Data("\(done) of \(count)\n".utf8)) }
    }
}
