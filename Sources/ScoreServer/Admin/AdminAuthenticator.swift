// Operators and machines have a token; a wrong one uses up the quota of its address only.

import Metrics
import ScoreTypes

/// The author of an internal request.
struct AdminPrincipal: Sendable, Hashable {
    let name: String
    let role: AdminRole

    /// The name in the audit log.
    var actor: String { role == .scheduler ? "scheduler:\(name)" : "token:\(name)" }
}

/// Checks admin tokens; there are few requests, so that each one reads the store.
struct AdminAuthenticator: Sendable {
    let store: any AdminStore
    let limiter: RateLimiter
    let clock: ServiceClock

    /// The principal behind an Authorization header; an address with too many wrong ones gets `quota-exceeded`.
    func principal(authorization: String?, address: ClientAddress) async throws -> AdminPrincipal {
        guard let authorization else { throw ServiceProblem(.unauthenticated) }
        guard let credential = BearerCredential.reading(authorization), credential.kind == .admin,
            let record = try await store.token(credential.id), record.digest.matches(credential.digest),
            record.expiresAt.map({ $0 > clock.wall }) ?? true
        else {
            let dimensions = [("surface", "admin"), ("cause", "refused")]
            Counter(label: "score_auth_failures_total", dimensions: dimensions).increment()
            // Checked only after a failure, so that others' wrong tokens never lock out a right one.
            try limiter.use(.adminLogin, by: address.party)
            throw ServiceProblem(.invalidCredential)
        }
        return AdminPrincipal(name: record.name, role: record.role)
    }
}
