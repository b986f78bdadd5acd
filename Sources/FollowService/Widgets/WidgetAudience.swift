// Widgets are reloaded by push on the devices of followers; nothing is stored about a reload.

internal import Postgres
public import ScoreTypes

/// Finds the devices whose widgets show a match.
public struct WidgetAudience: Sendable {
    /// Followers with a token for widgets who keep the match on their widgets (bit 1 of `surfaces`).
    ///
    /// A device that also follows one of the matches $7 was reloaded a moment ago: its widgets have this match too.
    private static let followers: Statement = """
        select d.bucket, d.device_id, d.widget_token, d.widget_gen, d.env
        from follow f
        join device d on d.bucket = f.bucket and d.device_id = f.device_id
        where f.match_id = $1 and f.bucket between $2 and $3 and (f.bucket, f.device_id) > ($4, $5)
          and f.wants = 1 and f.surfaces & 1 = 1
          and d.widget_token is not null
          and not exists (
              select from follow o
              where o.bucket = f.bucket and o.device_id = f.device_id and o.match_id = any ($7)
                and o.wants = 1 and o.surfaces & 1 = 1)
        order by d.bucket, d.device_id
        limit $6
        """

    let pool: Pool

    /// The next devices whose widgets show a match.
    ///
    /// - Parameters:
    ///   - match: The match that has changed.
    ///   - buckets: The buckets to search.
    ///   - recent: Matches whose followers are left out, since their widgets were reloaded a moment ago.
    ///   - cursor: The place of the previous page's end.
    ///   - limit: Devices of the page.
    /// - Returns: The page.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func page(
        of match: MatchID,
        buckets: ClosedRange<Bucket>,
        without recent: [MatchID],
        after cursor: AudienceCursor = .start,
        limit: Int
    ) async throws(FollowError) -> AudiencePage<PushRecipient> {
        let binds: [Bind] = [
            .text(match.text), .smallint(buckets.lowerBound.number), .smallint(buckets.upperBound.number),
            .smallint(cursor.bucket), .uuid(cursor.device), .int(Int64(limit)), .texts(recent.map(\.text)),
        ]
        let found = try await pool.rows(Self.followers, binds) { row in
            let device = try row.uuid(1)
            let cursor = AudienceCursor(bucket: try row.small(0), device: device)
            guard let token = PushToken(bytes: try row.bytes(2)) else { return (cursor, PushRecipient?.none) }
            let recipient = PushRecipient(
                device: device,
                generation: try row.medium(3),
                environment: try row.environment(4),
                token: token
            )
            return (cursor, recipient)
        }
        return AudiencePage(members: found.compactMap(\.1), next: found.count < limit ? nil : found.last?.0)
    }
}
