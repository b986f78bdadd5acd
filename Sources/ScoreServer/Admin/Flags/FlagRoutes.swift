// Operators read and change switches; a change holds until its end, on every node, and after a restart.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// `/admin/api/v1/flags…`.
struct FlagRoutes: Sendable {
    let store: any FlagStore
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.flags) { _ in
            let (flags, now) = (try await store.all(), clock.wall)
            return Answer.json(AdminRoutes.items(FlagName.allCases.map { flags.json($0, at: now) }))
        }
        let count: AdminWrite.Count = { write in
            _ = try Self.revision(write)
            let change = try wanted(write)
            return try await store.all().value(change.name, at: clock.wall) == change.value ? 0 : 1
        }
        router.change(.putFlag, wouldAffect: count) { write, entry in
            let change = try wanted(write)
            let number = try await store.put(change, ifRevision: try Self.revision(write), entry)
            let flags = try await store.all()
            return AuditedChange(number: number, result: flags.json(change.name, at: clock.wall))
        }
    }

    private func wanted(_ write: AdminWrite) throws(ServiceProblem) -> FlagChange {
        guard let name = FlagName(rawValue: write.target) else { throw ServiceProblem(.notFound) }
        let now = clock.wall
        return try write.read { fields in
            let seconds = fields.optional("ttlSeconds", .integer(ServerLimits.flagSeconds))
            return name.read(&fields).map { value in
                FlagChange(
                    name: name,
                    value: value,
                    expiresAt: seconds.map { now + .seconds($0) },
                    at: now,
                    by: write.principal.actor,
                    reason: write.reason
                )
            }
        }
    }

    /// The revision of `If-Match`, in quotes; nil without one or with `*`.
    private static func revision(_ write: AdminWrite) throws(ServiceProblem) -> Int64? {
        guard let text = write.ifMatch, text != "*" else { return nil }
        guard let revision = text.wholeMatch(of: #/"([0-9]{1,18})"/#).flatMap({ Int64($0.1) }) else {
            throw .invalid("If-Match", "expected the revision of the switch in quotes")
        }
        return revision
    }
}
