// Widgets are reloaded by push on the devices of followers; nothing is stored about a reload.

internal import Postgres
public import ScoreTypes

/// Finds the devices whose widgets show a match.
public struct WidgetAudience: Sendable {
    /// Followers with a token for widgets who keep the match on their widgets (bit 1 of `surfaces`).
    ///
    /// A device that also follows one of the matches $7 was reloaded a moment ago: its widgets have this match too. The
    /// last row is the last follower that was read, unless all were.
    private static let followers: Statement = """
        with \(PageStatements.lastRead)
        (select f.bucket, f.device_id, false, d.widget_token, d.widget_gen, d.env
        from follow f
        join device d on d.bucket = f.bucket and d.device_id = f.device_id
        where \(PageStatements.isRead)
          and f.wants = 1 and f.surfaces & 1 = 1
          and d.widget_token is not null
          and not exists (
              select from follow o
              where o.bucket = f.bucket and o.device_id = f.device_id and o.match_id = any ($7)
                and o.wants = 1 and o.surfaces & 1 = 1)
        order by f.bucket, f.device_id
        limit $8)
        union all
        select bucket, device_id, true, null, null, null from last_read
        """

    let pool: Pool
    /// Followers that one page reads.
    var rowsPerPage = FollowLimits.followersReadPerPage

    /// The next devices whose widgets show a match.
    ///
    /// A page reads ``FollowLimits/followersReadPerPage`` followers at most, so that it may have no member and a next
    /// page.
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
        try await pool.followers(
            Self.followers,
            of: match,
            buckets: buckets,
            after: cursor,
            rows: rowsPerPage,
            [.texts(recent.map(\.text)), .int(Int64(limit))],
            limit: limit,
            member: Self.recipient
        )
    }

    @Sendable private static func recipient(_ row: Row, _ device: DeviceID) throws -> PushRecipient? {
        guard let token = PushToken(bytes: try row.bytes(3)) else { return nil }
        return PushRecipient(
            device: device,
            generation: try row.medium(4),
            environment: try row.environment(5),
            token: token
        )
    }
}
