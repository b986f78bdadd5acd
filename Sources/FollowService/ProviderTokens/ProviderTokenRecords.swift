// Apple answers 429 to a second provider token within twenty minutes, so all nodes share one through PostgreSQL.

internal import Postgres
public import ScoreTypes

/// The store of provider tokens.
public struct ProviderTokenRecords: Sendable {
    private static let select: Statement =
        "select token, issued_at from provider_token where env = $1 and key_id = $2 and team_id = $3"

    private static let upsert: Statement = """
        insert into provider_token as p (env, key_id, team_id, token, issued_at) values ($1, $2, $3, $4, $5)
        on conflict (env, key_id, team_id) do update set token = excluded.token, issued_at = excluded.issued_at
        where p.issued_at <= $6
        """

    let pool: Pool

    /// The token that all nodes use now; nil before the first.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func load(_ scope: ProviderTokenScope) async throws(FollowError) -> StoredProviderToken? {
        try await pool.rows(Self.select, binds(scope), decode: Self.token).first
    }

    /// Offers a new token to all nodes.
    ///
    /// - `limit`: A stored token that was issued after it is kept.
    /// - Returns: The token to use: the offered one, or the one that another node stored first.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func publish(
        _ token: StoredProviderToken,
        _ scope: ProviderTokenScope,
        unlessIssuedAfter limit: Instant
    ) async throws(FollowError) -> StoredProviderToken {
        let place = binds(scope)
        return try await pool.commit { connection in
            try connection.execute(
                Self.upsert,
                place + [.text(token.text), .timestamp(token.issuedAt), .timestamp(limit)]
            )
            return try connection.query(Self.select, place, decode: Self.token).first ?? token
        }
    }

    private func binds(_ scope: ProviderTokenScope) -> [Bind] {
        [.smallint(scope.environment.code), .text(scope.keyID), .text(scope.teamID)]
    }

    private static let token: @Sendable (Row) throws -> StoredProviderToken = { row in
        StoredProviderToken(text: try row.text(0), issuedAt: try row.timestamp(1))
    }
}
