// Operators see when each sweep ran, for how long, on which node, and when it runs next.

import FollowService
import ScoreTypes

/// The state of one kind of sweep.
struct SweepStatus: Sendable {
    let kind: SweepKind
    /// The newest runs, the newest first.
    let runs: [SweepRun]
    let lastSuccess: Instant?
    /// The node that holds the lease; nil when no living one does.
    let holder: NodeID?
    /// Real time between two sweeps of the timer.
    let interval: Duration

    /// Failures since the last success, as far as they are listed.
    var failuresInARow: Int { runs.prefix { $0.error != nil }.count }

    /// When the timer runs it next; nil before its first run.
    var nextAt: Instant? {
        guard let last = runs.first(where: { $0.caller.hasPrefix(SweepService.timerPrefix) }) else { return nil }
        let hasMore = last.summary.map { SweepSummary.Counts(stored: $0).more } ?? false
        return last.at + (hasMore ? min(interval, ServerLimits.sweepInterval) : interval)
    }

    /// The status for operators.
    var json: JSONValue {
        .record([
            "kind": .text(kind.rawValue), "purpose": .text(kind.purpose),
            "intervalSeconds": .integer(interval.components.seconds),
            "leaseHolder": holder.map { .text($0.text) }, "nextAt": nextAt.map { .text($0.rfc3339) },
            "lastSuccessAt": lastSuccess.map { .text($0.rfc3339) }, "failuresInARow": .whole(failuresInARow),
            "runs": .array(runs.map(\.json)),
        ])
    }
}

extension SweepRun {
    /// `running`, `done`, `failed`.
    var state: String { error != nil ? "failed" : summary == nil ? "running" : "done" }

    /// The run for operators.
    var json: JSONValue {
        let counts = summary.map { SweepSummary.Counts(stored: $0) }
        return .record([
            "slot": .text(slot), "at": .text(at.rfc3339), "by": .text(caller), "state": .text(state),
            "scanned": counts.map { .whole($0.scanned) }, "changed": counts.map { .whole($0.changed) },
            "tookMs": counts.map { .integer($0.tookMs) }, "more": counts.map { .bool($0.more) },
            "error": error.map { .text($0) },
        ])
    }
}
