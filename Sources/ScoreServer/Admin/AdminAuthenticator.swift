// Operators and machines have a token; a wrong one uses up the quota of its address only.

import HTTPTypes
import Hummingbird
import Metrics
import ScoreTypes

/// The author of an internal request.
struct AdminPrincipal: Sendable, Hashable {
    /// The id of the token or session.
    let id: String
    /// The id of the token; that of the parent for a session.
    let tokenID: String
    let name: String
    let role: AdminRole
    let expiresAt: Instant
    /// Whether the credential came in the cookie of a session.
    let isSession: Bool

    /// The operator of a demo, who needs no token; writes have to come from a page of the server, as with a session.
    static let demo = AdminPrincipal(
        id: "demo",
        tokenID: "demo",
        name: "demo",
        role: .operator,
        expiresAt: Instant(milliseconds: 4_102_444_800_000),
        isSession: true
    )

    /// The name in the audit log.
    var actor: String { role == .scheduler ? "scheduler:\(name)" : "token:\(name)" }
    /// The way of its requests in the audit log.
    var via: AuditEntry.Via { isSession ? .ui : role == .scheduler ? .scheduler : .api }
}

/// Checks admin tokens; there are few requests, so that each one reads the store.
///
/// Only a known scraper is accepted without it, and only for the metrics.
struct AdminAuthenticator: Sendable {
    let store: any AdminStore
    let limiter: RateLimiter
    let clock: ServiceClock
    /// Used only by `scraper(of:address:)`.
    let scrapers = KnownScrapers()

    /// The principal of a request, by its Authorization header or else its cookie; an address with too many wrong ones
    /// gets `quota-exceeded`.
    func principal(of request: Request, address: ClientAddress) async throws -> AdminPrincipal {
        let header = request.headers[.authorization]
        let credential = header.map { BearerCredential.reading($0) } ?? SessionCookie.credential(request)
        guard header != nil || credential != nil else { throw ServiceProblem(.unauthenticated) }
        let now = clock.wall
        guard let credential, credential.kind == .admin, let token = try await store.token(credential.id),
            token.digest.matches(credential.digest), token.state(at: now) == .active
        else {
            let dimensions = [("surface", "admin"), ("cause", "refused")]
            Counter(label: "score_auth_failures_total", dimensions: dimensions).increment()
            // Checked only after a failure, so that others' wrong tokens never lock out a right one.
            try limiter.use(.adminLogin, by: address.party)
            throw ServiceProblem(.invalidCredential)
        }
        if token.lastUsedAt.map({ now - $0 >= ServerLimits.tokenUseInterval }) ?? true {
            // Without it the time of the last use is older, and the request goes on.
            try? await store.noteUse(of: token.id, at: now)
        }
        return AdminPrincipal(
            id: token.id,
            tokenID: token.parentID ?? token.id,
            name: token.name,
            role: token.role,
            expiresAt: token.expiresAt,
            isSession: header == nil
        )
    }

    /// The principal of a request for metrics, as `principal(of:address:)`; a known scraper is accepted without the
    /// store while that does not answer.
    func scraper(of request: Request, address: ClientAddress) async throws -> AdminPrincipal {
        guard let credential = BearerCredential.reading(request.headers[.authorization]), credential.kind == .admin
        else { return try await principal(of: request, address: address) }
        do {
            let principal: AdminPrincipal
            if scrapers.principal(credential, clock) != nil {
                principal = try await Deadline.run(ServerLimits.scraperCheckTime, .unavailable("deadline")) {
                    try await self.principal(of: request, address: address)
                }
            } else {
                principal = try await self.principal(of: request, address: address)
            }
            if principal.role == .metrics { scrapers.keep(credential, principal, at: clock.monotonic) }
            return principal
        } catch {
            guard ServiceProblem.translating(error).kind == .temporarilyUnavailable else {
                scrapers.forget(credential.digest)
                throw error
            }
            guard let known = scrapers.principal(credential, clock) else { throw error }
            return known
        }
    }
}
