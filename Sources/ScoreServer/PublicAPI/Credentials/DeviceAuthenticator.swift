// Digests of device credentials are cached for a minute, so that few requests read them from the database.

import Metrics
import ScoreTypes
import Synchronization

/// Checks device credentials.
final class DeviceAuthenticator: Sendable {
    private typealias Remembered = (digest: SecretDigest, until: Duration)

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
        guard let stored = try await digest(of: device, mayLookUp) else { throw refused("unknown") }
        guard stored.matches(credential.digest) else { throw refused("mismatch") }
        return device
    }

    /// Removes an erased device.
    func forget(_ device: DeviceID) { cache.withLock { $0[device] = nil } }

    private func digest(of device: DeviceID, _ mayLookUp: () throws -> Void) async throws -> SecretDigest? {
        let now = clock.monotonic
        if let known = cache.withLock({ $0[device] }), known.until > now { return known.digest }
        try mayLookUp()
        guard let bytes = try await devices.authenticate(device), let digest = SecretDigest(stored: bytes) else {
            return nil
        }
        cache.withLock { $0[device] = (digest, now + ServerLimits.credentialAge) }
        return digest
    }

    private func refused(_ cause: String) -> ServiceProblem {
        let dimensions = [("surface", "device"), ("cause", cause)]
        Counter(label: "score_auth_failures_total", dimensions: dimensions).increment()
        return ServiceProblem(.invalidCredential)
    }
}
