// Digests of device credentials are cached for a minute, so that few requests read them from the database.

import FollowService
import Metrics
import ScoreTypes
import Synchronization

/// Checks device credentials.
///
/// A wrong credential uses up the quota of its device id at its address. A right credential is accepted whatever others
/// do behind the same address: it is in memory, or is looked up. Lookups are bounded: a device id whose quota is spent
/// is looked up once a second, an unknown one once a minute, and one statement serves all that wait.
final class DeviceAuthenticator: Sendable {
    private typealias Stored = (credential: StoredCredential, readAt: Duration)

    private let devices: any DeviceStore
    private let clock: ServiceClock
    /// Separate from the limits of requests, since a client that invents ids makes others be forgotten here.
    private let limiter: RateLimiter
    private let known = Mutex(GenerationCache<DeviceID, Stored>(capacity: ServerLimits.cachedCredentials))
    private let unknown = Mutex(GenerationCache<DeviceID, Duration>(capacity: ServerLimits.unknownDevices))

    init(devices: any DeviceStore, limits: RateLimits, clock: ServiceClock) {
        self.devices = devices
        self.clock = clock
        limiter = RateLimiter(limits: limits, clock: clock)
    }

    /// The device of an Authorization header that an address sends.
    ///
    /// - Throws: `unauthenticated` without a header, `invalid-credential` for a wrong one, `device-blocked` for a right
    ///   one of a blocked device, `quota-exceeded` when wrong ones are too many, `temporarily-unavailable` when no
    ///   lookup is possible.
    func device(authorization: String?, from address: ClientAddress) async throws -> DeviceID {
        guard let authorization else { throw ServiceProblem(.unauthenticated) }
        guard let credential = BearerCredential.reading(authorization), credential.kind == .device,
            let device = DeviceID(credential.id)
        else { throw try refused("malformed", address.login(as: nil)) }
        let (digest, now, login) = (credential.digest, clock.monotonic, address.login(as: device))
        if let stored = known.withLock({ $0[device] }) {
            let age = now - stored.readAt
            if age < ServerLimits.credentialAge, stored.credential.accepts(digest, at: clock.wall) {
                return try admitted(device, stored.credential)
            }
            // A credential that another node has made is not in memory yet, so that a mismatch is looked up, too.
            if age < ServerLimits.credentialRecheck, limiter.isSpent(.deviceLogin, by: login) {
                throw try refused("mismatch", login)
            }
        } else if let readAt = unknown.withLock({ $0[device] }), now - readAt < ServerLimits.credentialAge {
            throw try refused("unknown", login)
        }
        let stored = try await lookUp(device)
        if let stored, stored.accepts(digest, at: clock.wall) {
            // Without it the device counts as unused for longer, and the request goes on.
            if stored.isUseDue { try? await devices.noteUse(of: device) }
            return try admitted(device, stored)
        }
        throw try refused(stored == nil ? "unknown" : "mismatch", login)
    }

    /// Removes a device whose credential or access has changed.
    func forget(_ device: DeviceID) { known.withLock { $0[device] = nil } }

    /// The refusal of a device that the store did not accept after this node did: erased, blocked or revoked meanwhile.
    func lateRefusal(of device: DeviceID) async throws -> ServiceProblem {
        forget(device)
        let isBlocked = try await devices.authenticate(device)?.isBlocked ?? false
        return isBlocked ? .blocked : ServiceProblem(.invalidCredential)
    }

    private func admitted(_ device: DeviceID, _ credential: StoredCredential) throws(ServiceProblem) -> DeviceID {
        guard !credential.isBlocked else {
            let dimensions = [("surface", "device"), ("cause", "blocked")]
            Counter(label: "score_auth_failures_total", dimensions: dimensions).increment()
            throw .blocked
        }
        return device
    }

    private func lookUp(_ device: DeviceID) async throws -> StoredCredential? {
        let readAt = clock.monotonic
        let stored = try await devices.authenticate(device)
        known.withLock { $0[device] = stored.map { (credential: $0, readAt: readAt) } }
        unknown.withLock { $0[device] = stored == nil ? readAt : nil }
        return stored
    }

    /// The refusal of a wrong credential; throws `quota-exceeded` when there were too many.
    private func refused(_ cause: String, _ login: ClientParty) throws(ServiceProblem) -> ServiceProblem {
        let dimensions = [("surface", "device"), ("cause", cause)]
        Counter(label: "score_auth_failures_total", dimensions: dimensions).increment()
        try limiter.use(.deviceLogin, by: login)
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
