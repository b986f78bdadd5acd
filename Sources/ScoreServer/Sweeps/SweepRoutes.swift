// An external scheduler or an operator may start a sweep; a repeated call with the same slot runs no second sweep.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// `POST /internal/v1/sweeps/{kind}` and `/admin/api/v1/sweeps…`.
struct SweepRoutes: Sendable {
    let sweeps: any SweepControl
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.write(.slotSweep, wouldAffect: nil) { call in
            let kind = try Self.kind(of: call)
            var fields = FieldReader(call.body)
            let slot = fields.text("slot", length: 1...32)
            let items = Self.items(&fields)
            let isDryRun = fields.optional("dryRun", .flag) ?? false
            fields.ignore("reason")
            try fields.finish()
            return try await sweep(kind, slot, items, isDryRun || call.isDryRun, call)
        }
        router.read(.sweeps) { _ in Answer.json(AdminRoutes.items(try await sweeps.status().map(\.json))) }
        router.write(.runSweep, wouldAffect: nil) { call in
            let kind = try Self.kind(of: call)
            let items = try call.read { Self.items(&$0) }
            return try await sweep(kind, "run-\(clock.wall.milliseconds)", items, call.isDryRun, call)
        }
    }

    private func sweep(
        _ kind: SweepKind,
        _ slot: String,
        _ items: Int,
        _ isDryRun: Bool,
        _ call: AdminWrite
    ) async throws -> JSONValue {
        let order = SweepOrder(
            kind: kind,
            slot: slot,
            maxItems: items,
            isDryRun: isDryRun,
            caller: call.principal.actor
        )
        do { return try await sweeps.sweep(order).json } catch let refusal as SweepRefusal { throw refusal.problem }
    }

    private static func kind(of call: AdminWrite) throws(ServiceProblem) -> SweepKind {
        guard let kind = SweepKind(rawValue: call.target) else { throw ServiceProblem(.notFound) }
        return kind
    }

    private static func items(_ fields: inout FieldReader) -> Int {
        let most = Int64(ServerLimits.itemsPerSweep)
        return Int(fields.optional("maxItems", .integer(1...most)) ?? most)
    }
}
