// Each write of the internal listener leaves entries in the audit log.

import Metrics
import ScoreTypes

/// Writes the audit entries of one request.
struct AuditLog: Sendable {
    let store: any AdminStore
    let action: AdminAction
    let call: Call

    /// The id in the path; a malformed one is not copied into the audit log.
    var target: String { MatchID(call.word("id"))?.text ?? "" }

    /// Writes the outcome of an admitted request.
    func write(_ write: AdminWrite, _ outcome: AuditEntry.Outcome) async throws -> Int64 {
        var members: [JSONValue.Member] = []
        if action.keepsBody, case .object(let given) = JSONValue(write.body) { members = given }
        if write.isDryRun { members.append(.init(name: "dryRun", value: .bool(true))) }
        return try await add(write.principal, write.reason, outcome, .object(members))
    }

    /// Writes that a request was denied; nil for one without a valid token.
    func deny(_ principal: AdminPrincipal?) async throws { _ = try await add(principal, "", .denied, .object([])) }

    private func add(
        _ principal: AdminPrincipal?,
        _ reason: String,
        _ outcome: AuditEntry.Outcome,
        _ detail: JSONValue
    ) async throws -> Int64 {
        let dimensions = [("action", action.name), ("outcome", outcome.rawValue)]
        Counter(label: "score_admin_actions_total", dimensions: dimensions).increment()
        let entry = AuditEntry(
            actor: principal?.actor ?? "anonymous",
            role: principal?.role.rawValue ?? "none",
            action: action.name,
            target: target,
            reason: reason,
            outcome: outcome,
            requestID: call.context.requestID,
            detail: detail
        )
        return try await store.record(entry)
    }
}
