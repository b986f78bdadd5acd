// Operators read the audit log and check that it is whole.

import Hummingbird
import ScoreTypes

/// `/admin/api/v1/audit…`.
struct AuditRoutes: Sendable {
    let store: any AdminStore

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.audit) { call in
            let filter = try AuditFilter(call.query)
            let rows = try await store.audit(filter)
            let next = rows.count < filter.limit ? nil : rows.last.map { JSONValue.integer($0.number) }
            return Answer.json(JSONValue.record(["items": .array(rows.map(\.json)), "nextBefore": next]).bytes)
        }
        router.read(.auditCheck) { call in
            let after = try call.query.integer("after", 1...Int64.max)
            return Answer.json(try await store.verifyAudit(after: after).json.bytes)
        }
    }
}
