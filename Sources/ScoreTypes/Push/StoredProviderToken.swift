// All nodes use one provider token, because APNs limits how often a key's token changes.

/// A signed APNs provider token; its text never prints.
public struct StoredProviderToken: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The JWT for the `authorization` header and for the store; for nothing else.
    public let text: String
    /// Its `iat` claim.
    public let issuedAt: Instant

    /// Makes the value from its fields.
    public init(text: String, issuedAt: Instant) {
        self.text = text
        self.issuedAt = issuedAt
    }

    /// Everything but the secret.
    public var description: String { "‹provider token issued at \(issuedAt)›" }
    /// Everything but the secret.
    public var debugDescription: String { description }
}

/// The scope of one provider token: APNs counts changes by key, and a key can be bound to an environment.
///
/// A key file that was installed under the id of another key has a scope of its own, by its digest.
public struct ProviderTokenScope: Sendable, Hashable {
    /// The APNs environment.
    public let environment: PushEnvironment
    /// The signing key's id, ten characters.
    public let keyID: String
    /// The developer team's id, ten characters.
    public let teamID: String
    /// SHA-256 of the public key, 32 bytes.
    public let keyDigest: [UInt8]

    /// Makes the value from its fields.
    public init(environment: PushEnvironment, keyID: String, teamID: String, keyDigest: [UInt8]) {
        self.environment = environment
        self.keyID = keyID
        self.teamID = teamID
        self.keyDigest = keyDigest
    }
}
