// A run that fails or is interrupted must leave no process and no folder, however far it came.

import Synchronization

/// The steps that undo the parts of a run.
final class Teardown: Sendable {
    private let steps = Mutex<[@Sendable () async -> Void]>([])

    /// Adds a step; called as soon as the part exists that the step undoes.
    func add(_ step: @escaping @Sendable () async -> Void) { steps.withLock { $0.append(step) } }

    /// Takes all steps, the newest first, each once.
    func run() async {
        while let step = steps.withLock({ $0.popLast() }) { await step() }
    }
}
