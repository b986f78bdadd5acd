// An external scheduler may trigger the sweep; the slot makes a doubled tick harmless.

import HTTPTypes
import Hummingbird
import LiveActivities
import ScoreTypes

/// Ends silent activities of a slot, at most so many; a dry run only counts them.
///
/// The slot is the time that the sweep stands for, as text; an equal text returns the first sweep's summary. Throws
/// `SweepRefusal`, or the error of the store.
typealias StaleSweep = @Sendable (_ slot: String, _ maxItems: Int, _ isDryRun: Bool) async throws -> SweepSummary

/// `POST /internal/v1/sweeps/stale-activities`.
struct SweepRoutes: Sendable {
    /// Sweeps for a slot, unless it was swept before.
    let sweep: StaleSweep

    /// Adds the route.
    func add(to router: InternalRouter) {
        router.write(.staleSweep, wouldAffect: nil) { call in
            var fields = FieldReader(call.body)
            let slot = fields.text("slot", length: 1...32)
            let most = Int64(LiveActivityLimits.itemsPerSweep)
            let items = Int(fields.optional("maxItems", .integer(1...most)) ?? most)
            let isDryRun = fields.optional("dryRun", .flag) ?? false
            fields.ignore("reason")
            try fields.finish()
            do {
                return try await sweep(slot, items, isDryRun || call.isDryRun).answer
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
    var answer: JSONValue {
        .record([
            "kind": .text("stale-activities"), "slot": .text(slot), "scanned": .whole(counts.scanned),
            "changed": .whole(counts.changed), "tookMs": .integer(counts.tookMs), "more": .bool(counts.more),
            "dryRun": .bool(isDryRun), "wouldAffect": isDryRun ? .whole(counts.scanned) : .null,
            "repeated": .bool(isRepetition),
        ])
    }
}
