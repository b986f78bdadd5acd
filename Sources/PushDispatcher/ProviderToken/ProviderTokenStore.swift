// All nodes share one provider token through a store outside the dispatcher.

public import ScoreTypes

/// Where all nodes share the provider token.
public protocol ProviderTokenStore: Sendable {
    /// The time of the store, which all nodes share: the clock of a node may be wrong by hours.
    ///
    /// - Throws: The store's error; the call is repeated.
    func time() async throws -> Instant

    /// The token in force.
    ///
    /// - Parameter scope: Environment, key and team.
    /// - Returns: The token; nil before the first.
    /// - Throws: The store's error; the call is repeated.
    func load(_ scope: ProviderTokenScope) async throws -> StoredProviderToken?

    /// Stores a new token, unless the stored one was issued within a span; one from the future is replaced.
    ///
    /// - Parameters:
    ///   - token: The new token.
    ///   - scope: Environment, key and team.
    ///   - span: A stored token that was issued within it is kept.
    /// - Returns: The token that is stored now.
    /// - Throws: The store's error; the call is repeated.
    func publish(
        _ token: StoredProviderToken,
        _ scope: ProviderTokenScope,
        unlessIssuedWithin span: ClosedRange<Instant>
    ) async throws -> StoredProviderToken
}
