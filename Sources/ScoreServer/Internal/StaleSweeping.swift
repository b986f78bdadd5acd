// The internal route, the timer and the command run the same sweep.

import LiveActivities

/// Ends activities that have been silent too long.
protocol StaleSweeping: Sendable {
    /// Sweeps for a slot, unless it was swept before.
    ///
    /// - Parameters:
    ///   - slot: The time that the sweep stands for, as text; equal text returns the first sweep's summary.
    ///   - maxItems: Activities to end at most.
    ///   - isDryRun: Only counts.
    /// - Returns: What was done.
    /// - Throws: `SweepRefusal`, or what keeps the store from answering.
    func sweep(slot: String, maxItems: Int, isDryRun: Bool) async throws -> SweepSummary
}
