// One signed token serves all nodes, since APNs counts how often it changes.

public import ScoreTypes

/// A signed provider token; prints redacted.
public struct StoredProviderToken: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The JWT, for the header and for the store; for nothing else.
    public let text: String
    /// Its `iat`.
    public let issuedAt: Instant

    /// Fills in the fields.
    public init(text: String, issuedAt: Instant) {
        self.text = text
        self.issuedAt = issuedAt
    }

    /// One sentence, without anything secret.
    public var description: String { "‹provider token issued at \(issuedAt)›" }
    /// The same as the description.
    public var debugDescription: String { description }
}

/// Whose token it is: APNs counts by key, and keys can be bound to an environment.
public struct ProviderTokenScope: Sendable, Hashable {
    /// Apple's world.
    public let environment: PushEnvironment
    /// The signing key's ten characters.
    public let keyID: String
    /// The team's ten characters.
    public let teamID: String

    /// Fills in the fields.
    public init(environment: PushEnvironment, keyID: String, teamID: String) {
        self.environment = environment
        self.keyID = keyID
        self.teamID = teamID
    }
}

/// Where all nodes share the token.
public protocol ProviderTokenStore: Sendable {
    /// The token in force; nil when there never was one.
    func load(_ scope: ProviderTokenScope) async throws -> StoredProviderToken?

    /// Stores a new token, unless the stored one was issued after the given moment; returns the one now stored.
    func publish(
        _ token: StoredProviderToken,
        _ scope: ProviderTokenScope,
        unlessIssuedAfter moment: Instant
    ) async throws -> StoredProviderToken
}
