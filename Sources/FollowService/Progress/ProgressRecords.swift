// The progress of a fan-out is one row for each bucket of a match, whatever the size of the audience.

public import Postgres
public import ScoreTypes

/// The store of fan-out progress, written under the node's term.
public struct ProgressRecords: Sendable {
    /// The owner of a bucket takes its row, also from a newer term: the older of two nodes may be the surviving one.
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
    private let term: @Sendable () -> Term?

    /// Makes the store.
    ///
    /// - Parameters:
    ///   - pool: The connections to use.
    ///   - clock: Wall time for rows without progress yet.
    ///   - term: The node's term now; nil while it has none.
    public init(pool: Pool, clock: ServiceClock, term: @escaping @Sendable () -> Term?) {
        self.pool = pool
        self.clock = clock
        self.term = term
    }

    /// Takes buckets of a match over: fences every other term, and returns where each bucket continues.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - buckets: The buckets to take.
    /// - Returns: The revision that each bucket was sent, 0 for none; a bucket that this node's term does not own is
    ///   missing, and all are missing while the node has no term.
    /// - Throws: `FollowError` when Postgres cannot answer.
    public func resume(_ match: MatchID, buckets: [Bucket]) async throws(FollowError) -> [Bucket: Int64] {
        guard let term = term() else { return [:] }
        let binds: [Bind] = [
            .text(match.text), .smallints(buckets.sorted().map(\.number)), .int(term.number), .timestamp(clock.wall),
        ]
        do {
            // A single statement, as the record below: a node that is stopped in a transaction keeps its rows locked.
            let rows = try await pool.query(Self.take, binds) { row in (Bucket(Int(try row.int(0))), try row.int(1)) }
            return rows.reduce(into: [:]) { sent, row in
                if let bucket = row.0 { sent[bucket] = row.1 }
            }
        } catch {
            throw FollowError(error)
        }
    }

    /// The devices that buckets were recorded without.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - buckets: The buckets to read.
    /// - Returns: The devices that have not received the recorded revision.
    /// - Throws: `FollowError` when Postgres cannot answer.
    public func owed(_ match: MatchID, buckets: [Bucket]) async throws(FollowError) -> [DeviceID] {
        let binds: [Bind] = [.text(match.text), .smallints(buckets.sorted().map(\.number))]
        do {
            return try await pool.query(Self.owing, binds) { try $0.uuids(0) }.flatMap(\.self)
        } catch {
            throw FollowError(error)
        }
    }

    /// Records that buckets were sent a revision; an older revision changes nothing.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - buckets: The buckets whose tokens all received the revision, except those that are owed.
    ///   - revision: The revision.
    ///   - owed: Devices of these buckets that are tried further; the next record of a bucket replaces them.
    ///   - at: When the buckets were completed.
    /// - Returns: False when the node has no term or another node owns one of the buckets: it must stop sending.
    /// - Throws: `FollowError` when Postgres cannot answer.
    public func record(
        match: MatchID,
        buckets: [Bucket],
        revision: Int64,
        owed: [DeviceID] = [],
        at: Instant
    ) async throws(FollowError) -> Bool {
        guard let term = term() else { return false }
        let wanted = Set(buckets).sorted()
        guard !wanted.isEmpty else { return true }
        let binds: [Bind] = [
            .text(match.text), .smallints(wanted.map(\.number)), .int(term.number), .int(revision), .timestamp(at),
            .smallints(owed.map { Bucket(of: $0).number }), .uuids(owed),
        ]
        do {
            return try await pool.execute(Self.advance, binds) == wanted.count
        } catch {
            throw FollowError(error)
        }
    }
}
