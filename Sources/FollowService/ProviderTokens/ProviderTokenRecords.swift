// Apple answers 429 to a second provider token within twenty minutes, hence all nodes share one.

public import Postgres
public import ScoreTypes

/// Names the signing key of a provider token.
public struct ProviderTokenKey: Sendable, Hashable {
    /// Apple's world.
    public let environment: PushEnvironment
    /// The key's id at Apple.
    public let keyID: String
    /// The team's id at Apple.
    public let teamID: String

    /// Names a key.
    public init(environment: PushEnvironment, keyID: String, teamID: String) {
        self.environment = environment
        self.keyID = keyID
        self.teamID = teamID
    }
}

/// A signed provider token; it never prints.
public struct StoredProviderToken: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The token for the `authorization` header.
    public let text: String
    /// The time inside it.
    public let issuedAt: Instant

    /// Wraps a token.
    public init(text: String, issuedAt: Instant) {
        self.text = text
        self.issuedAt = issuedAt
    }

    /// Everything but the secret.
    public var description: String { "‹provider token of \(issuedAt)›" }
    /// Everything but the secret.
    public var debugDescription: String { description }
}

/// The store of provider tokens.
public struct ProviderTokenRecords: Sendable {
    private static let select = Statement(
        "select token, issued_at from provider_token where env = $1 and key_id = $2 and team_id = $3"
    )

    private static let upsert = Statement(
        """
        insert into provider_token as p (env, key_id, team_id, token, issued_at) values ($1, $2, $3, $4, $5)
        on conflict (env, key_id, team_id) do update set token = excluded.token, issued_at = excluded.issued_at
        where p.issued_at <= $6
        """
    )

    private let pool: Pool

    /// Makes the store.
    public init(pool: Pool) { self.pool = pool }

    /// The token that all nodes use now; nil before the first.
    public func load(_ key: ProviderTokenKey) async throws(FollowError) -> StoredProviderToken? {
        do {
            return try await pool.query(Self.select, binds(key), decode: Self.token).first
        } catch {
            throw FollowError(error)
        }
    }

    /// Offers a new token for all nodes.
    ///
    /// - Parameter limit: A stored token that was issued after it stays.
    /// - Returns: The token to use: the offered one, or the one that another node was quicker with.
    public func publish(
        _ token: StoredProviderToken,
        for key: ProviderTokenKey,
        unlessIssuedAfter limit: Instant
    ) async throws(FollowError) -> StoredProviderToken {
        let place = binds(key)
        do {
            return try await pool.transaction { connection in
                try connection.execute(
                    Self.upsert,
                    place + [.text(token.text), .timestamp(token.issuedAt), .timestamp(limit)]
                )
                return try connection.query(Self.select, place, decode: Self.token).first ?? token
            }
        } catch {
            throw FollowError(error)
        }
    }

    private func binds(_ key: ProviderTokenKey) -> [Bind] {
        [.smallint(key.environment.code), .text(key.keyID), .text(key.teamID)]
    }

    private static let token: @Sendable (Row) throws -> StoredProviderToken = { row in
        StoredProviderToken(text: try row.text(0), issuedAt: try row.timestamp(1))
    }
}
