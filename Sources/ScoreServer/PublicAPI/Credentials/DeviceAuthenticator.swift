// Digests of device credentials are cached for a minute, so that few requests read them from the database.

import FollowService
import Metrics
import ScoreTypes
import Synchronization

/// Checks device credentials.
final class DeviceAuthenticator: Sendable {
    private typealias Remembered = (credential: StoredCredential, until: Duration)

    private let devices: any DeviceStore
    private let clock: ServiceClock
    private let cache = Mutex(GenerationCache<DeviceID, Remembered>(capacity: ServerLimits.cachedCredentials))

    init(devices: any DeviceStore, clock: ServiceClock) {
        self.devices = devices
        self.clock = clock
    }

    /// The device of an Authorization header; `mayLookUp` is called before a query of the store and may throw.
    func device(authorization: String?, mayLookUp: () throws -> Void) async throws -> DeviceID {
        guard let authorization else { throw ServiceProblem(.unauthenticated) }
        guard let credential = BearerCredential.reading(authorization), credential.kind == .device,
            let device = DeviceID(credential.id)
        else { throw refused("malformed") }
        let digest = credential.digest
        let (now, wall) = (clock.monotonic, clock.wall)
        if let known = cache.withLock({ $0[device] }), known.until > now, known.credential.accepts(digest, at: wall) {
            return device
        }
        // A credential that another node has made is not in the cache yet, so that a mismatch is looked up, too.
        try mayLookUp()
        guard let stored = try await devices.authenticate(device) else { throw refused("unknown") }
        guard stored.accepts(digest, at: wall) else { throw refused("mismatch") }
        cache.withLock { $0[device] = (stored, now + ServerLimits.credentialAge) }
        return device
    }

    /// Removes a device that was erased or has a new credential.
    func forget(_ device: DeviceID) { cache.withLock { $0[device] = nil } }

    private func refused(_ cause: String) -> ServiceProblem {
        let dimensions = [("surface", "device"), ("cause", cause)]
        Counter(label: "score_auth_failures_total", dimensions: dimensions).increment()
        return ServiceProblem(.invalidCredential)
    }
}

extension StoredCredential {
    /// Whether a secret is the newest one, or the replaced one while that is valid.
    fileprivate func accepts(_ digest: SecretDigest, at now: Instant) -> Bool {
        if SecretDigest(stored: hash)?.matches(digest) == true { return true }
        guard let replacedHash, let replacedUntil, now < replacedUntil else { return false }
        return SecretDigest(stored: replacedHash)?.matches(digest) == true
    }
}
