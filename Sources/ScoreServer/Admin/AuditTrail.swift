// The lines that one attempt leaves in the record.

import Metrics
import ScoreTypes

/// Writes the record of one request.
struct AuditTrail: Sendable {
    let store: any AdminStore
    let action: String
    let keepsBody: Bool
    let target: String
    let requestID: String

    init(store: any AdminStore, action: String, keepsBody: Bool = false, call: Call) {
        self.store = store
        self.action = action
        self.keepsBody = keepsBody
        // An id that is not one is not repeated into the record.
        target = MatchID(call.word("id"))?.text ?? ""
        requestID = call.context.requestID.text
    }

    /// Writes what became of an admitted attempt.
    func write(_ write: AdminWrite, _ outcome: AuditEntry.Outcome) async throws -> Int64 {
        var members: [JSONValue.Member] = []
        if keepsBody, case .object(let given) = JSONValue(write.body) { members = given }
        if write.isDryRun { members.append(.init(name: "dryRun", value: .bool(true))) }
        let detail = JSONValue.object(members)
        return try await add(write.principal.actor, write.principal.role.rawValue, write.reason, outcome, detail)
    }

    /// Writes an attempt that was not admitted; nil for one without a valid token.
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
