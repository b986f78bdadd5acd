// Apple answers 429 to a second provider token within twenty minutes, so all nodes share one through PostgreSQL.

public import Postgres
public import ScoreTypes

/// The store of provider tokens.
public struct ProviderTokenRecords: Sendable {
    private static let select: Statement = """
        select token, issued_at from provider_token
        where env = $1 and key_id = $2 and team_id = $3 and key_digest = $4
        """

    private static let upsert: Statement = """
        insert into provider_token as p (env, key_id, team_id, key_digest, token, issued_at)
        values ($1, $2, $3, $4, $5, $6)
        on conflict (env, key_id, team_id, key_digest) do update
        set token = excluded.token, issued_at = excluded.issued_at
        where p.issued_at < $7 or p.issued_at > $8
        """

    private static let clock: Statement = "select clock_timestamp()"

    let pool: Pool

    /// Uses the connections of a pool.
    public init(pool: Pool) { self.pool = pool }

    /// The time of PostgreSQL, which is the same for all nodes.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func time() async throws(FollowError) -> Instant {
        guard let now = try await pool.rows(Self.clock, [], decode: { try $0.timestamp(0) }).first else {
            throw .unavailable(PostgresError(.other, message: "PostgreSQL did not say its time"))
        }
        return now
    }

    /// The token that all nodes use now; nil before the first.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func load(_ scope: ProviderTokenScope) async throws(FollowError) -> StoredProviderToken? {
        try await pool.rows(Self.select, binds(scope), decode: Self.token).first
    }

    /// Offers a new token to all nodes.
    ///
    /// - `span`: A stored token that was issued within it is kept; one from the future is replaced.
    /// - Returns: The token to use: the offered one, or the one that another node stored first.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func publish(
        _ token: StoredProviderToken,
        _ scope: ProviderTokenScope,
        unlessIssuedWithin span: ClosedRange<Instant>
    ) async throws(FollowError) -> StoredProviderToken {
        let place = binds(scope)
        return try await pool.commit { connection in
            try connection.execute(
                Self.upsert,
                place + [
                    .text(token.text), .timestamp(token.issuedAt), .timestamp(span.lowerBound),
                    .timestamp(span.upperBound),
                ]
            )
            return try connection.query(Self.select, place, decode: Self.token).first ?? token
        }
    }

    private func binds(_ scope: ProviderTokenScope) -> [Bind] {
        [.smallint(scope.environment.code), .text(scope.keyID), .text(scope.teamID), .bytes(scope.keyDigest)]
    }

    private static let token: @Sendable (Row) throws -> StoredProviderToken = { row in
        StoredProviderToken(text: try row.text(0), issuedAt: try row.timestamp(1))
    }
}
