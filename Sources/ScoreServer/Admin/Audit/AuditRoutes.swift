// Operators read the audit log and check that it is whole.

import Hummingbird
import ScoreTypes

/// `/admin/api/v1/audit…`.
struct AuditRoutes: Sendable {
    let store: any AdminStore

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.audit) { call in
            let page = try await store.audit(AuditFilter(call.query))
            let next = page.next.map { JSONValue.integer($0) }
            return Answer.json(JSONValue.record(["items": .array(page.rows.map(\.json)), "nextBefore": next]).bytes)
        }
        router.read(.auditCheck) { call in
            let after = try call.query.integer("after", 1...Int64.max)
            return Answer.json(try await store.verifyAudit(after: after).json.bytes)
        }
    }
}
