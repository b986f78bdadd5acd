// How far each bucket of a match was sent: a row a bucket, whatever the audience.

public import Postgres
public import ScoreTypes

/// What became of a report of progress.
public enum ProgressOutcome: Sendable, Hashable {
    case recorded
    /// A bucket has a new owner: the reporter must stop sending.
    case fenced
}

/// The store of progress.
public struct ProgressRecords: Sendable {
    /// Whoever owns a bucket takes it, also from a newer term: of two nodes the older one may be the one that lives on.
    private static let take = Statement(
        """
        insert into fanout as f (match_id, bucket, term, sent_rev, sent_at)
        select $1, o.bucket, $3, 0, $4 from bucket_owner o
        where o.bucket = any($2) and o.term = $3 order by o.bucket for share
        on conflict (match_id, bucket) do update set term = excluded.term
        returning f.bucket, f.sent_rev
        """
    )

    private static let advance = Statement(
        """
        with target as materialized (
            select match_id, bucket from fanout
            where match_id = $1 and bucket = any($2) and term = $3
            order by bucket for update
        )
        update fanout f set sent_rev = greatest(f.sent_rev, $4), sent_at = greatest(f.sent_at, $5),
            owed = case when f.sent_rev > $4 then f.owed else (
                select array_agg(o.device_id) from unnest($6, $7) as o(bucket, device_id) where o.bucket = f.bucket
            ) end
        from target t where f.match_id = t.match_id and f.bucket = t.bucket
        """
    )

    private static let owing = Statement(
        "select owed from fanout where match_id = $1 and bucket = any($2) and owed is not null order by bucket"
    )

    private let pool: Pool
    private let clock: ServiceClock

    /// Makes the store.
    public init(pool: Pool, clock: ServiceClock) {
        self.pool = pool
        self.clock = clock
    }

    /// Takes buckets of a match over: fences every other term, and returns from where to go on.
    ///
    /// - Returns: The revision that each bucket was sent, 0 for none; a bucket that this term does not own is missing.
    public func resume(
        _ match: MatchID,
        term: Term,
        buckets: [Bucket]
    ) async throws(FollowError) -> [Bucket: Int64] {
        let binds: [Bind] = [
            .text(match.text), .smallints(buckets.sorted().map(\.number)), .int(term.number), .timestamp(clock.wall),
        ]
        do {
            // Alone like the record below: a node that is stopped in a transaction would keep these rows locked.
            let rows = try await pool.query(Self.take, binds) { row in (Bucket(Int(try row.int(0))), try row.int(1)) }
            return rows.reduce(into: [:]) { sent, row in
                if let bucket = row.0 { sent[bucket] = row.1 }
            }
        } catch {
            throw FollowError(error)
        }
    }

    /// The devices that buckets were recorded without.
    public func owed(_ match: MatchID, buckets: [Bucket]) async throws(FollowError) -> [DeviceID] {
        let binds: [Bind] = [.text(match.text), .smallints(buckets.sorted().map(\.number))]
        do {
            return try await pool.query(Self.owing, binds) { try $0.uuids(0) }.flatMap(\.self)
        } catch {
            throw FollowError(error)
        }
    }

    /// Records that buckets were sent a revision; it never goes back.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - term: The reporter's.
    ///   - buckets: Whose tokens have all got the revision, but for those that are owed.
    ///   - revision: What they have got.
    ///   - owed: Devices of these buckets that are tried further; the next record of a bucket replaces them.
    ///   - at: When.
    /// - Returns: Whether the reporter still owned all of the buckets.
    /// - Throws: `FollowError` when the database cannot be reached or refuses.
    public func record(
        _ match: MatchID,
        term: Term,
        buckets: [Bucket],
        revision: Int64,
        owed: [DeviceID] = [],
        at: Instant
    ) async throws(FollowError) -> ProgressOutcome {
        let wanted = Set(buckets).sorted()
        guard !wanted.isEmpty else { return .recorded }
        let binds: [Bind] = [
            .text(match.text), .smallints(wanted.map(\.number)), .int(term.number), .int(revision), .timestamp(at),
            .smallints(owed.map { Bucket(of: $0).number }), .uuids(owed),
        ]
        do {
            let count = try await pool.execute(Self.advance, binds)
            return count == wanted.count ? .recorded : .fenced
        } catch {
            throw FollowError(error)
        }
    }
}
