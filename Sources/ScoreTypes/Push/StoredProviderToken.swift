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
public struct ProviderTokenScope: Sendable, Hashable {
    /// The APNs environment.
    public let environment: PushEnvironment
    /// The signing key's id, ten characters.
    public let keyID: String
    /// The developer team's id, ten characters.
    public let teamID: String

    /// Makes the value from its fields.
    public init(environment: PushEnvironment, keyID: String, teamID: String) {
        self.environment = environment
        self.keyID = keyID
        self.teamID = teamID
    }
}
