// A scraper reads the metrics while the database cannot check its token, so that the outage raises its alert.

import ScoreTypes
import Synchronization

/// The tokens of scrapers that the store has verified, as digests.
///
/// A revocation on another node is not known here until the store answers again, or until an entry is too old.
final class KnownScrapers: Sendable {
    private struct Entry {
        let digest: SecretDigest
        let principal: AdminPrincipal
        /// Monotonic time of the last verification.
        let verifiedAt: Duration
    }

    /// The newest verification is the last one.
    private let entries = Mutex<[Entry]>([])

    /// Keeps a verified token; the one whose verification is the oldest is dropped when there are too many.
    func keep(_ credential: BearerCredential, _ principal: AdminPrincipal, at now: Duration) {
        let entry = Entry(digest: credential.digest, principal: principal, verifiedAt: now)
        entries.withLock { entries in
            entries.removeAll { $0.digest == entry.digest }
            entries.append(entry)
            if entries.count > ServerLimits.knownScrapers { entries.removeFirst() }
        }
    }

    /// The scraper of a credential; nil when it is unknown, expired, or was verified too long ago.
    func principal(_ credential: BearerCredential, _ clock: ServiceClock) -> AdminPrincipal? {
        let (digest, now, wall) = (credential.digest, clock.monotonic, clock.wall)
        let found = entries.withLock { entries in
            entries.first { $0.principal.id == credential.id && $0.digest.matches(digest) }
        }
        guard let found, now - found.verifiedAt < ServerLimits.scraperAge, found.principal.expiresAt > wall
        else { return nil }
        return found.principal
    }

    /// Forgets a token that the store has refused.
    func forget(_ digest: SecretDigest) { entries.withLock { $0.removeAll { $0.digest == digest } } }

    /// Forgets a token that this node has revoked.
    func forget(id: String) { entries.withLock { $0.removeAll { $0.principal.id == id } } }
}
