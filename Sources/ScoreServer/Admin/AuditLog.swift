// Each write of the internal listener leaves entries in the audit log.

import Metrics
import ScoreTypes

/// Writes the audit entries of one request.
struct AuditLog: Sendable {
    let store: any AdminStore
    let action: String
    let keepsBody: Bool
    let target: String
    let requestID: String

    init(store: any AdminStore, action: String, keepsBody: Bool = false, call: Call) {
        self.store = store
        self.action = action
        self.keepsBody = keepsBody
        // A malformed id is not copied into the audit log.
        target = MatchID(call.word("id"))?.text ?? ""
        requestID = call.context.requestID
    }

    /// Writes the outcome of an admitted request.
    func write(_ write: AdminWrite, _ outcome: AuditEntry.Outcome) async throws -> Int64 {
        var members: [JSONValue.Member] = []
        if keepsBody, case .object(let given) = JSONValue(write.body) { members = given }
        if write.isDryRun { members.append(.init(name: "dryRun", value: .bool(true))) }
        let detail = JSONValue.object(members)
        return try await add(write.principal.actor, write.principal.role.rawValue, write.reason, outcome, detail)
    }

    /// Writes that a request was denied; nil for one without a valid token.
    func deny(_ principal: AdminPrincipal?) async throws {
        _ = try await add(principal?.actor ?? "anonymous", principal?.role.rawValue ?? "none", "", .denied)
    }

    private func add(
        _ actor: String,
        _ role: String,
        _ reason: String,
        _ outcome: AuditEntry.Outcome,
        _ detail: JSONValue = .object([])
    ) async throws -> Int64 {
        let dimensions = [("action", action), ("outcome", outcome.rawValue)]
        Counter(label: "score_admin_actions_total", dimensions: dimensions).increment()
        let entry = AuditEntry(
            actor: actor,
            role: role,
            action: action,
            target: target,
            reason: reason,
            outcome: outcome,
            requestID: requestID,
            detail: detail
        )
        return try await store.record(entry)
    }
}
