// Administrators list, create and revoke tokens; the secret of a new one is in one answer only.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// `/admin/api/v1/admin-tokens…`.
struct TokenRoutes: Sendable {
    let store: any AdminStore
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.tokens) { call in try await list(call) }
        let isValid: AdminWrite.Count = { write in
            _ = try TokenOrder.read(write)
            return 1
        }
        router.change(.createToken, wouldAffect: isValid) { write, entry in
            let order = try TokenOrder.read(write)
            let (token, credential) = AdminToken.make(
                name: order.name,
                role: order.role,
                by: write.principal.actor,
                at: clock.wall,
                lasting: order.life
            )
            var entry = entry
            entry.target = token.id
            entry.after = token.json(at: clock.wall)
            let number = try await store.add(token, entry)
            let result = JSONValue.record(["token": token.json(at: clock.wall), "credential": .text(credential.text)])
            return AuditedChange(number: number, result: result)
        }
        let count: AdminWrite.Count = { write in try await store.revocationCount(write.target) }
        let scrapers = router.admission.authenticator.scrapers
        router.change(.revokeToken, wouldAffect: count) { write, entry in
            let number = try await store.revoke(write.target, at: clock.wall, entry)
            scrapers.forget(id: write.target)
            guard let number else { throw ServiceProblem(.notFound) }
            return AuditedChange(number: number, result: .record(["done": .bool(true)]))
        }
    }

    private func list(_ call: Call) async throws -> Response {
        let most = Int64(ServerLimits.listedTokens)
        let limit = try call.query.integer("limit", 1...most) ?? most
        let cursor = try call.query["after"].map { text throws(ServiceProblem) in
            guard let cursor = TokenCursor(text) else { throw .invalid("after", "expected nextAfter") }
            return cursor
        }
        let (page, now) = (try await store.tokens(after: cursor, limit: Int(limit)), clock.wall)
        let items = page.tokens.map { $0.json(at: now) }
        let next = page.next.map { JSONValue.text($0.text) }
        return Answer.json(JSONValue.record(["items": .array(items), "nextAfter": next]).bytes)
    }
}

/// The wanted token of a body.
struct TokenOrder: Sendable {
    /// Characters of a token's name.
    static let nameLength = 1...64

    let name: String
    let role: AdminRole
    let life: Duration

    /// Reads a body; throws `validation-failed` with every member that is wrong.
    static func read(_ write: AdminWrite) throws(ServiceProblem) -> TokenOrder {
        try write.read { fields in
            let name = fields.text("name", length: nameLength)
            let role = fields.required("role", .choice(AdminRole.self))
            let range = Int64(ServerLimits.tokenDays.lowerBound)...Int64(ServerLimits.tokenDays.upperBound)
            let days = fields.optional("days", .integer(range)) ?? Int64(ServerLimits.defaultTokenDays)
            return role.map { TokenOrder(name: name, role: $0, life: .seconds(days * 86_400)) }
        }
    }
}
