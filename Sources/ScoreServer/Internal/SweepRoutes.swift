// An external scheduler may trigger the sweep; the slot makes a doubled tick harmless.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// `POST /internal/v1/sweeps/stale-activities`.
struct SweepRoutes: Sendable {
    /// Most activities ended in one run.
    static let itemsMax: Int64 = 10_000

    let sweeping: any StaleSweeping

    /// Adds the route.
    func add(to router: Router<ServiceContext>, behind door: InternalDoor) {
        let action = AdminAction(name: "sweep.stale-activities", permission: .sweep, needsReason: false)
        door.write(.post, "/internal/v1/sweeps/stale-activities", action, to: router) { call in
            var fields = FieldReader(call.body)
            let slot = fields.text("slot", bytes: 1...32)
            let items = fields.integerIfPresent("maxItems", 1...Self.itemsMax) ?? Self.itemsMax
            let isDryRun = fields.flagIfPresent("dryRun") ?? false
            fields.ignore("reason")
            try fields.finish()
            do {
                let summary = try await sweeping.sweep(slot: slot, maxItems: Int(items), isDryRun: isDryRun)
                return summary.json
            } catch SweepRefusal.leaseHeld {
                throw ServiceProblem(.conflict, "Another node runs this sweep.")
            } catch SweepRefusal.notRecovered {
                throw ServiceProblem.unavailable("recovery")
            }
        }
    }
}

extension SweepSummary {
    /// The summary as the route shows it.
    var json: JSONValue {
        .record([
            "kind": .text("stale-activities"), "slot": .text(slot), "scanned": .integer(Int64(scanned)),
            "changed": .integer(Int64(changed)), "skipped": .integer(Int64(skipped)), "errors": .integer(Int64(errors)),
            "tookMs": .integer(tookMilliseconds), "more": .bool(hasMore), "dryRun": .bool(isDryRun),
            "repeated": .bool(isRepetition),
        ])
    }
}
