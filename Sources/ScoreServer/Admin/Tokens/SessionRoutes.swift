// The console shows what its user may do, and keeps the user logged in without the token in a script.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// `/admin/api/v1/session`.
struct SessionRoutes: Sendable {
    let store: any AdminStore
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.session) { _, principal in Answer.json(Self.describe(principal).bytes) }
        router.change(.openSession, wouldAffect: nil) { write, entry in try await open(write.principal, entry) }
        router.change(.closeSession, wouldAffect: nil) { write, entry in try await close(write.principal, entry) }
    }

    /// Opens a session for the user of a token, and stores the audit entry with it.
    func open(_ principal: AdminPrincipal, _ entry: AuditEntry) async throws -> AuditedChange {
        guard !principal.isSession else { throw ServiceProblem(.conflict, "The request has a session.") }
        let now = clock.wall
        let life = min(ServerLimits.sessionAge, principal.expiresAt - now)
        let (token, credential) = AdminToken.make(
            name: principal.name,
            role: principal.role,
            by: principal.actor,
            at: now,
            lasting: life,
            parent: principal.id
        )
        var entry = entry
        entry.target = token.id
        let number = try await store.add(token, entry)
        let cookie = SessionCookie.storing(credential, seconds: life.components.seconds)
        let result = JSONValue.record(["expiresAt": .text(token.expiresAt.rfc3339)])
        return AuditedChange(number: number, result: result, cookie: cookie)
    }

    /// Ends the session of a request, and stores the audit entry with it.
    func close(_ principal: AdminPrincipal, _ entry: AuditEntry) async throws -> AuditedChange {
        guard principal.isSession else { throw ServiceProblem(.conflict, "The request has no session.") }
        var entry = entry
        entry.target = principal.id
        guard let number = try await store.revoke(principal.id, at: clock.wall, entry) else {
            throw ServiceProblem(.notFound)
        }
        return AuditedChange(number: number, result: .record([:]), cookie: SessionCookie.removing)
    }

    /// The user and the permitted actions.
    private static func describe(_ principal: AdminPrincipal) -> JSONValue {
        let permitted = AdminRoute.all.filter { $0.permission.roles.contains(principal.role) }
        return .record([
            "name": .text(principal.name), "role": .text(principal.role.rawValue),
            "tokenId": .text(principal.tokenID), "expiresAt": .text(principal.expiresAt.rfc3339),
            "session": .bool(principal.isSession),
            "actions": .array(
                permitted.map { route in
                    .record([
                        "action": .text(route.action), "method": .text(route.method.rawValue),
                        "path": .text(route.path), "destructive": .bool(route.isDestructive),
                        "reason": .bool(!route.isRead && route.needsReason),
                    ])
                }
            ),
        ])
    }
}
