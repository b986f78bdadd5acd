// A blocked or starved thread delays every task of the node before anything fails.

import Metrics
import ScoreTypes

/// Measures how late a task on the shared threads is resumed.
struct TaskLag: Sendable {
    let clock: ServiceClock
    private let lag = Recorder(label: "score_task_lag_seconds")

    init(clock: ServiceClock) { self.clock = clock }

    /// Measures until cancelled.
    func run() async {
        while !Task.isCancelled {
            let due = clock.monotonic + ServerLimits.taskLagInterval
            try? await Task.sleep(for: ServerLimits.taskLagInterval)
            if !Task.isCancelled { lag.record(max(0, (clock.monotonic - due) / .seconds(1))) }
        }
    }
}
