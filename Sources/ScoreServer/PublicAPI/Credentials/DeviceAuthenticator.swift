// Every write of a phone asks who it is; a minute's memory keeps that question away from the database.

import Metrics
import ScoreTypes
import Synchronization

/// Checks device credentials.
final class DeviceAuthenticator: Sendable {
    /// How long a stored digest is believed; an erased device is refused after this at the latest.
    static let memory: Duration = .seconds(60)
    /// Most devices remembered; some 100 bytes each.
    static let devicesMax = 100_000

    private struct Remembered: Sendable {
        let digest: SecretDigest
        let until: Duration
    }

    private let devices: any DeviceStore
    private let clock: ServiceClock
    private let cache = Mutex(GenerationCache<DeviceID, Remembered>(capacity: devicesMax))

    init(devices: any DeviceStore, clock: ServiceClock) {
        self.devices = devices
        self.clock = clock
    }

    /// The device behind an Authorization header; `mayLookUp` is asked before the store is.
    ///
    /// - Throws: `unauthenticated` without a header, `invalid-credential` when it is not right.
    func device(authorization: String?, mayLookUp: () throws -> Void) async throws -> DeviceID {
        guard let authorization else { throw ServiceProblem(.unauthenticated) }
        guard let credential = BearerCredential.reading(authorization), credential.kind == .device,
            let device = DeviceID(credential.id)
        else { throw refused("malformed") }
        guard let stored = try await digest(of: device, mayLookUp) else { throw refused("unknown") }
        guard stored.matches(credential.digest) else { throw refused("mismatch") }
        return device
    }

    /// Forgets a device that was erased.
    func forget(_ device: DeviceID) { cache.withLock { $0[device] = nil } }

    private func digest(of device: DeviceID, _ mayLookUp: () throws -> Void) async throws -> SecretDigest? {
        let now = clock.monotonic
        if let known = cache.withLock({ $0[device] }), known.until > now { return known.digest }
        try mayLookUp()
        guard let bytes = try await devices.authenticate(device), let digest = SecretDigest(stored: bytes) else {
            return nil
        }
        cache.withLock { $0[device] = Remembered(digest: digest, until: now + Self.memory) }
        return digest
    }

    private func refused(_ cause: String) -> ServiceProblem {
        let dimensions = [("surface", "device"), ("cause", cause)]
        Counter(label: "score_auth_failures_total", dimensions: dimensions).increment()
        return ServiceProblem(.invalidCredential)
    }
}
