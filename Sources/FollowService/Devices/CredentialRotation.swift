// A credential is replaced by a request whose answer may be lost, so that both credentials are valid for a while.

public import ScoreTypes

/// The hashes by which the credential of a device is checked.
public struct StoredCredential: Sendable, Hashable {
    /// SHA-256 of the secret half of the newest credential, 32 bytes; empty after an operator revoked it.
    public let hash: [UInt8]
    /// The same of the credential that the newest rotation replaced; nil without one.
    public let replacedHash: [UInt8]?
    /// The time until which the replaced credential is valid.
    public let replacedUntil: Instant?
    /// Whether an operator blocks the device.
    public var isBlocked: Bool
    /// Whether the newest stored use of the device is so old that this one is to be stored.
    public var isUseDue = false

    /// Describes the stored credential.
    public init(
        hash: [UInt8],
        replacedHash: [UInt8]? = nil,
        replacedUntil: Instant? = nil,
        isBlocked: Bool = false
    ) {
        self.hash = hash
        self.replacedHash = replacedHash
        self.replacedUntil = replacedUntil
        self.isBlocked = isBlocked
    }
}

/// A request of a device to replace its credential.
public struct CredentialRotation: Sendable, Hashable {
    /// The device.
    public let device: DeviceID
    /// The hash of the credential that the request carries.
    public let presented: [UInt8]
    /// SHA-256 of the Idempotency-Key.
    public let key: [UInt8]
    /// The random bytes from which the new credential is derived.
    public let salt: [UInt8]
    /// The hash of the new credential.
    public let renewed: [UInt8]

    /// Describes a request.
    public init(device: DeviceID, presented: [UInt8], key: [UInt8], salt: [UInt8], renewed: [UInt8]) {
        self.device = device
        self.presented = presented
        self.key = key
        self.salt = salt
        self.renewed = renewed
    }
}

/// The result of a request to replace a credential.
public enum CredentialRotationOutcome: Sendable, Hashable {
    /// The new credential is stored.
    case rotated
    /// An earlier request with this key stored a credential, which is derived from these random bytes.
    case repeated(salt: [UInt8])
    /// The request carries the credential that this key made.
    case adopted
    /// A request with another key has replaced the credential.
    case replaced
    /// The credential is not valid any more, or the device was erased.
    case invalid
}

/// The stored credential of a device with its newest rotation.
struct CredentialState: Sendable, Hashable {
    let credential: StoredCredential
    /// SHA-256 of the Idempotency-Key of the newest rotation; nil without one.
    let key: [UInt8]?
    /// The random bytes of that rotation.
    let salt: [UInt8]?

    /// The result of a request; `rotated` says that the request is to be written.
    func outcome(of rotation: CredentialRotation, at now: Instant) -> CredentialRotationOutcome {
        let isRepeated = rotation.key == key
        if rotation.presented == credential.hash { return isRepeated ? .adopted : .rotated }
        guard rotation.presented == credential.replacedHash, let until = credential.replacedUntil, now < until else {
            return .invalid
        }
        // Only the newest credential is replaced, so that a leaked old one cannot displace it.
        guard isRepeated, let salt else { return .replaced }
        return .repeated(salt: salt)
    }
}
