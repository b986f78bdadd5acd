// The activities of a whole match are read page by page, to end them or to count them.

internal import Postgres
public import ScoreTypes

/// The number of follows and activities of a match.
public struct AudienceCounts: Sendable, Hashable {
    /// Devices that follow the match.
    public var follows: Int64 = 0
    /// Active activities on tokens.
    public var activitiesOnTokens: Int64 = 0
    /// Active activities on channels.
    public var activitiesOnChannels: Int64 = 0
}

/// The activities of a match in some buckets that have not ended.
public struct AcceptedCounts: Sendable, Hashable {
    /// Active activities, on tokens and on channels.
    public var active: Int64
    /// Active activities for which APNs accepted the state.
    public var accepted: Int64
    /// Active activities on channels.
    public var onChannels: Int64
    /// Activities whose end was decided and not answered.
    public var ending: Int64

    /// Makes counts.
    public init(active: Int64 = 0, accepted: Int64 = 0, onChannels: Int64 = 0, ending: Int64 = 0) {
        (self.active, self.accepted, self.onChannels, self.ending) = (active, accepted, onChannels, ending)
    }

    static func + (one: Self, other: Self) -> Self {
        AcceptedCounts(
            active: one.active + other.active,
            accepted: one.accepted + other.accepted,
            onChannels: one.onChannels + other.onChannels,
            ending: one.ending + other.ending
        )
    }
}

extension Activities {
    /// The chosen ones (`is_on`) among $5 activities of a match behind a cursor, at most $6.
    ///
    /// The last row is the last activity that was read, with the number of them.
    private static let chosen: StaticString = """
            from place p cross join lateral (
                select * from activity r
                where r.match_id = $1 and r.bucket = p.bucket and (p.bucket > $3 or r.device_id > $4)
                order by r.device_id) a
            limit $5
        )
        (select bucket, device_id, 0::bigint from page where is_on order by bucket, device_id limit $6)
        union all
        (select bucket, device_id, (select count(*) from page) from page
         order by bucket desc, device_id desc limit 1)
        """

    private static let activeOnTokens: Statement = """
        with place as materialized (
            select b.bucket from unnest($2) as b(bucket) where b.bucket >= $3 order by b.bucket
        ), page as materialized (
            select a.bucket, a.device_id, a.state = 1 and a.channel_id is null and a.token_at < $7 as is_on
        \(chosen)
        """

    private static let activeOutsideChannels: Statement = """
        with place as materialized (
            select b.bucket from unnest($2) as b(bucket) where b.bucket >= $3 order by b.bucket
        ), page as materialized (
            select a.bucket, a.device_id,
                   a.state = 1 and not exists (
                       select from channel c
                       where c.env = a.env and c.channel_id = a.channel_id and c.retired_at is null) as is_on
        \(chosen)
        """

    private static let activeCount: Statement =
        "select count(*) from activity where match_id = $1 and bucket between $2 and $3 and state = 1"

    private static let counts: Statement = """
        select (select count(*) from follow where match_id = $1 and bucket between $2 and $3 and wants = 1),
               count(*) filter (where state = 1 and channel_id is null),
               count(*) filter (where state = 1 and channel_id is not null)
        from activity where match_id = $1 and bucket between $2 and $3
        """

    /// Progress is known by bucket and by channel, so that the rows of activities are only counted.
    private static let accepted: Statement = """
        select a.match_id, count(*) filter (where a.state = 1), count(*) filter (
            where a.state = 1 and case when a.channel_id is null then f.sent_rev else c.sent_rev end >= n.rev),
            count(*) filter (where a.state = 1 and a.channel_id is not null), count(*) filter (where a.state = 2)
        from unnest($1, $2) as n(match_id, rev)
        join activity a on a.match_id = n.match_id and a.bucket = any($3) and a.state < 3
        left join fanout f on f.match_id = a.match_id and f.bucket = a.bucket
        left join channel c on c.env = a.env and c.channel_id = a.channel_id
        group by a.match_id
        """

    /// At most `limit` devices with an active activity on a token that was registered before an instant.
    ///
    /// A page reads ``FollowLimits/silentRowsPerPage`` activities at most, so that it may have no member and a next
    /// page.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func activeOnTokens(
        of match: MatchID,
        registeredBefore instant: Instant,
        in buckets: [Bucket],
        after cursor: AudienceCursor = .start,
        limit: Int
    ) async throws(FollowError) -> AudiencePage<DeviceID> {
        try await page(Self.activeOnTokens, of: match, in: buckets, after: cursor, limit: limit, [.timestamp(instant)])
    }

    /// At most `limit` devices with an active activity that is on no channel in use.
    ///
    /// A page reads ``FollowLimits/silentRowsPerPage`` activities at most, so that it may have no member and a next
    /// page.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func activeOutsideChannels(
        of match: MatchID,
        after cursor: AudienceCursor = .start,
        limit: Int
    ) async throws(FollowError) -> AudiencePage<DeviceID> {
        try await page(Self.activeOutsideChannels, of: match, in: Bucket.all, after: cursor, limit: limit)
    }

    private func page(
        _ statement: Statement,
        of match: MatchID,
        in buckets: [Bucket],
        after cursor: AudienceCursor,
        limit: Int,
        _ further: [Bind] = []
    ) async throws(FollowError) -> AudiencePage<DeviceID> {
        let rowsMax = FollowLimits.silentRowsPerPage
        let binds: [Bind] = [
            .text(match.text), .smallints(buckets.map(\.number)), .smallint(cursor.bucket), .uuid(cursor.device),
            .int(Int64(rowsMax)), .int(Int64(limit)),
        ]
        let rows = try await pool.rows(statement, binds + further) { row in
            (cursor: try AudienceCursor(row), read: Int(try row.int(2)))
        }
        let found = rows.filter { $0.read == 0 }.map(\.cursor)
        let read = rows.last?.read ?? 0
        let next = found.count >= limit ? found.last : read < rowsMax ? nil : rows.last?.cursor
        return AudiencePage(members: found.map(\.device), next: next, rowsRead: read)
    }

    /// The number of active activities of a match, on tokens and on channels.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func activeCount(of match: MatchID) async throws(FollowError) -> Int64 {
        var count: Int64 = 0
        for binds in Self.parts(of: match) {
            count += try await pool.rows(Self.activeCount, binds) { try $0.int(0) }.first ?? 0
        }
        return count
    }

    /// The parts of a match that one statement counts each.
    private static func parts(of match: MatchID) -> [[Bind]] {
        stride(from: 0, to: Bucket.count, by: FollowLimits.bucketsCounted).map { first in
            let last = min(first + FollowLimits.bucketsCounted, Bucket.count) - 1
            return [.text(match.text), .smallint(Int16(first)), .smallint(Int16(last))]
        }
    }

    /// The activities of matches by state, and those for which APNs accepted a revision or a newer one.
    ///
    /// - Returns: No element for a match whose activities in the buckets have all ended.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func accepted(
        _ revisions: [MatchID: Int64],
        in buckets: [Bucket]
    ) async throws(FollowError) -> [MatchID: AcceptedCounts] {
        var sums: [MatchID: AcceptedCounts] = [:]
        for start in stride(from: 0, to: buckets.count, by: FollowLimits.bucketsCounted) {
            let part = buckets[start..<min(start + FollowLimits.bucketsCounted, buckets.count)]
            let binds: [Bind] = [
                .texts(revisions.keys.map(\.text)), .ints(Array(revisions.values)), .smallints(part.map(\.number)),
            ]
            let rows = try await pool.rows(Self.accepted, binds) { row in
                let counts = AcceptedCounts(
                    active: try row.int(1),
                    accepted: try row.int(2),
                    onChannels: try row.int(3),
                    ending: try row.int(4)
                )
                return (MatchID(unchecked: try row.text(0)), counts)
            }
            sums.merge(rows, uniquingKeysWith: +)
        }
        return sums
    }

    /// The number of follows and activities of a match, for operators; all 0 for an unknown match.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func counts(of match: MatchID) async throws(FollowError) -> AudienceCounts {
        var sum = AudienceCounts()
        for binds in Self.parts(of: match) {
            let parts = try await pool.rows(Self.counts, binds) { row in
                (follows: try row.int(0), onTokens: try row.int(1), onChannels: try row.int(2))
            }
            for part in parts {
                sum.follows += part.follows
                sum.activitiesOnTokens += part.onTokens
                sum.activitiesOnChannels += part.onChannels
            }
        }
        return sum
    }
}
