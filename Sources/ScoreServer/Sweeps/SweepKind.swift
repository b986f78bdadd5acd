// Work that is done for all nodes at intervals: each kind has a schedule, and one node at a time runs it.

import ScoreTypes

/// A kind of sweep.
enum SweepKind: String, Sendable, Hashable, CaseIterable {
    /// Ends activities for which nothing was accepted for half an hour.
    case staleActivities = "stale-activities"
    /// Deletes the activities and the progress of matches that ended twelve hours ago.
    case matchClosure = "match-closure"
    /// Deletes the follows of matches that ended two days ago.
    case followExpiry = "follow-expiry"
    /// Deletes what is older than the settings allow: erased devices, devices without a call, matches.
    case retention

    /// The lease of the node that runs it.
    var lease: String { "sweep:\(rawValue)" }

    /// Domain time between two sweeps of the timer.
    var interval: Duration { self == .retention ? ServerLimits.retentionInterval : ServerLimits.sweepInterval }

    /// Its effect, in one sentence for operators.
    var purpose: String {
        switch self {
        case .staleActivities: "Ends activities and channels for which APNs accepted nothing for 30 minutes."
        case .matchClosure: "Deletes activities and progress 12 hours after the end of their match."
        case .followExpiry: "Deletes follows 48 hours after the end of their match."
        case .retention: "Deletes erased devices, erases unused ones, and deletes matches that ended long ago."
        }
    }
}

/// The result of one sweep or of its dry run.
struct SweepFindings: Sendable, Hashable {
    /// Rows that were changed, or would be.
    var count = 0
    /// Whether more is left than one sweep may do.
    var hasMore = false
}

/// The work of a kind on this node.
struct SweepWork: Sendable {
    /// Counts what a sweep of at most so many items would change.
    typealias Step = @Sendable (Int) async throws -> SweepFindings

    /// Whether it may run now.
    var isReady: @Sendable () -> Bool = { true }
    let count: Step
    let run: Step
    /// The own part of a node at each interval while another one sweeps for all.
    var aside: @Sendable () async throws -> Void = {}
}
