// Each write of the internal listener leaves entries in the audit log, and so does each refused request.

import Metrics
import ScoreTypes

/// Writes the audit entries of one request.
struct AuditLog: Sendable {
    let store: any AdminStore
    let denied: DeniedAttempts
    let route: AdminRoute
    let call: Call

    /// The id in the path; a malformed one is not copied into the audit log.
    var target: String { MatchID(call.word("id"))?.text ?? "" }

    /// The entry of an admitted request.
    func entry(_ write: AdminWrite, _ outcome: AuditEntry.Outcome) -> AuditEntry {
        var members: [JSONValue.Member] = []
        if route.keepsBody, case .object(let given) = JSONValue(write.body) { members = given }
        if write.isDryRun { members.append(.init(name: "dryRun", value: .bool(true))) }
        return entry(write.principal, write.reason, outcome, .object(members))
    }

    /// The entry of an admitted request without a body.
    func entry(_ principal: AdminPrincipal, _ outcome: AuditEntry.Outcome) -> AuditEntry {
        entry(principal, "", outcome, .object([]))
    }

    /// Writes the outcome of an admitted request.
    func write(_ entry: AuditEntry) async throws -> Int64 {
        count(entry.outcome)
        return try await store.record(entry)
    }

    /// Counts an entry that the store appends with its change.
    func count(_ outcome: AuditEntry.Outcome) {
        let dimensions = [("action", route.action), ("outcome", outcome.rawValue)]
        Counter(label: "score_admin_actions_total", dimensions: dimensions).increment()
    }

    /// Writes that a request was denied, unless its address has used up its entries; nil for one without a valid token.
    func deny(_ principal: AdminPrincipal?) async throws {
        guard let dropped = denied.admit(call.address.address?.household) else { return }
        let detail = JSONValue.record(["droppedBefore": dropped > 0 ? .integer(dropped) : nil])
        _ = try await write(entry(principal, "", .denied, detail))
    }

    private func entry(
        _ principal: AdminPrincipal?,
        _ reason: String,
        _ outcome: AuditEntry.Outcome,
        _ detail: JSONValue
    ) -> AuditEntry {
        AuditEntry(
            actor: principal?.actor ?? "anonymous",
            actorID: principal?.id ?? "",
            role: principal?.role.rawValue ?? "none",
            via: principal?.via ?? .api,
            address: call.address.address?.network ?? "",
            action: route.action,
            target: target,
            reason: reason,
            outcome: outcome,
            requestID: call.context.requestID,
            detail: detail
        )
    }
}

extension IPAddress {
    /// The first 24 bits of an IPv4 address or 48 of an IPv6 address, as text; loopback in full.
    var network: String {
        if isLoopback { return "loopback" }
        if let four { return "\(four >> 24).\(four >> 16 & 255).\(four >> 8 & 255).0/24" }
        let groups = [high >> 48, high >> 32 & 0xffff, high >> 16 & 0xffff].map { String($0, radix: 16) }
        return groups.joined(separator: ":") + "::/48"
    }
}
