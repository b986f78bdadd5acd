// All nodes share one provider token through a store outside the dispatcher.

public import ScoreTypes

/// Where all nodes share the provider token.
public protocol ProviderTokenStore: Sendable {
    /// The token in force.
    ///
    /// - Parameter scope: Environment, key and team.
    /// - Returns: The token; nil before the first.
    /// - Throws: The store's error; the call is repeated.
    func load(_ scope: ProviderTokenScope) async throws -> StoredProviderToken?

    /// Stores a new token, unless the stored one was issued after the given instant.
    ///
    /// - Parameters:
    ///   - token: The new token.
    ///   - scope: Environment, key and team.
    ///   - limit: A stored token that was issued after it is kept.
    /// - Returns: The token that is stored now.
    /// - Throws: The store's error; the call is repeated.
    func publish(
        _ token: StoredProviderToken,
        _ scope: ProviderTokenScope,
        unlessIssuedAfter limit: Instant
    ) async throws -> StoredProviderToken
}
