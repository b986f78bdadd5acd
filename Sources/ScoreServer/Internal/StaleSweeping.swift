// The sweep of silent activities as the internal route calls it; the timer and the command call the same function.

import ScoreTypes

/// The result of one sweep.
struct SweepSummary: Sendable, Hashable {
    let slot: String
    var scanned = 0
    var changed = 0
    var skipped = 0
    var errors = 0
    var tookMilliseconds: Int64 = 0
    /// Whether more remains than one run may do.
    var hasMore = false
    var isDryRun = false
    /// Whether the slot ran before; the summary is the one of that run.
    var isRepetition = false
}

/// Why a sweep did not run.
enum SweepRefusal: Error, Sendable, Hashable {
    /// Another node has the lease.
    case leaseHeld
    /// Recovery has not published yet.
    case notRecovered
}

/// Ends activities that have been silent too long.
protocol StaleSweeping: Sendable {
    /// Runs the sweep of a slot once; the same slot again returns the first summary. A dry run only counts.
    func sweep(slot: String, maxItems: Int, isDryRun: Bool) async throws -> SweepSummary
}
