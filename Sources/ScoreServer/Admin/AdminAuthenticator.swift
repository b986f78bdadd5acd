// Operators and machines show a token; a wrong one costs its address, never anybody else.

import Metrics
import ScoreTypes

/// Who acts.
struct AdminPrincipal: Sendable, Hashable {
    let name: String
    let role: AdminRole

    /// The name in the record.
    var actor: String { role == .scheduler ? "scheduler:\(name)" : "token:\(name)" }
}

/// Checks admin tokens; there are few requests, so each one asks the store.
struct AdminAuthenticator: Sendable {
    let store: any AdminStore
    let limiter: RateLimiter
    let clock: ServiceClock

    /// The principal behind an Authorization header.
    ///
    /// - Throws: `unauthenticated`, `invalid-credential`; `quota-exceeded` after too many wrong ones from one address.
    func principal(authorization: String?, address: ClientAddress) async throws -> AdminPrincipal {
        guard let authorization else { throw ServiceProblem(.unauthenticated) }
        guard let credential = BearerCredential.reading(authorization), credential.kind == .admin,
            let record = try await store.token(credential.id), record.digest.matches(credential.digest),
            record.expiresAt.map({ $0 > clock.wall }) ?? true
        else {
            let dimensions = [("surface", "admin"), ("cause", "refused")]
            Counter(label: "score_auth_failures_total", dimensions: dimensions).increment()
            // Asked only after a failure, so that a right token is never locked out by others' wrong ones.
            try limiter.use(.adminLogin, by: address.prefix)
            throw ServiceProblem(.invalidCredential)
        }
        return AdminPrincipal(name: record.name, role: record.role)
    }
}
