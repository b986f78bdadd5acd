// The way of pushes as operators see it, at one moment.

import FollowService
import LiveActivities
import PushDispatcher
import ScoreTypes

/// Joins the admin API with arenas and dispatcher.
struct PipelineJoin: PipelineStatus {
    let arenas: ArenaIndex
    /// nil on a node that pushes nothing.
    let dispatcher: Dispatcher?
    let receipts: ReceiptMonitor

    func pipeline() async -> JSONValue {
        let held = arenas.status
        return .record([
            "arenas": .record([
                "matches": .integer(Int64(held.matchCount)), "tokens": .integer(Int64(held.tokenCount)),
                "bytes": .integer(Int64(held.byteCount)), "evictionsWaiting": .integer(Int64(held.evictionsWaiting)),
                "lagMs": .integer(held.lag.milliseconds), "changesApplied": .integer(Int64(held.changesApplied)),
            ]),
            "activitiesStuck": .integer(Int64(receipts.stuckCount)),
            "dispatcher": await dispatcher?.status().json ?? .null,
        ])
    }
}
