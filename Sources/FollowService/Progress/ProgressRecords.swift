// The progress of a fan-out is one row for each bucket of a match, whatever the size of the audience.

public import Postgres
public import ScoreTypes

/// The store of fan-out progress, written under the node's term.
public struct ProgressRecords: Sendable {
    /// The owner of a bucket takes its row, also from a newer term, since the older of two nodes may survive.
    fileprivate static let take: Statement = """
        insert into fanout as f (match_id, bucket, term, sent_rev, sent_at)
        select $1, o.bucket, $3, 0, $4 from bucket_term o
        where o.bucket = any($2) and o.term = $3 order by o.bucket for share
        on conflict (match_id, bucket) do update set term = excluded.term
        returning f.bucket, f.sent_rev, f.alert_rev
        """

    private static let advance = change(
        """
        sent_rev = greatest(f.sent_rev, $4), sent_at = greatest(f.sent_at, $5),
            owed = case when f.sent_rev > $4 then f.owed else (
                select array_agg(o.device_id) from unnest($6, $7) as o(bucket, device_id) where o.bucket = f.bucket
            ) end
        """
    )

    /// Changes the progress of buckets that the term $3 has taken.
    static func change(_ assignments: StaticString) -> Statement {
        """
        with target as materialized (
            select match_id, bucket from fanout
            where match_id = $1 and bucket = any($2) and term = $3
            order by bucket for update
        )
        update fanout f set \(assignments)
        from target t where f.match_id = t.match_id and f.bucket = t.bucket
        """
    }

    private static let owing: Statement =
        "select owed from fanout where match_id = $1 and bucket = any($2) and owed is not null order by bucket"

    private let pool: Pool
    private let clock: ServiceClock
    private let term: @Sendable () -> Term?

    /// Makes the store.
    ///
    /// - `term`: The node's term now; nil while it has none.
    public init(pool: Pool, clock: ServiceClock, term: @escaping @Sendable () -> Term?) {
        self.pool = pool
        self.clock = clock
        self.term = term
    }

    /// Takes over buckets of a match, which fences every other term.
    ///
    /// - Returns: The revision that each bucket was sent, 0 for none; a bucket that this node's term does not own is
    ///   missing, and all are missing while the node has no term.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func resume(_ match: MatchID, buckets: [Bucket]) async throws(FollowError) -> [Bucket: Int64] {
        guard let term = term() else { return [:] }
        return try await pool.takeProgress(of: match, in: buckets, term: term, at: clock.wall).mapValues(\.sent)
    }

    /// The devices without which buckets were recorded: they have not received the recorded revision.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func owed(_ match: MatchID, buckets: [Bucket]) async throws(FollowError) -> [DeviceID] {
        let binds: [Bind] = [.text(match.text), .smallints(buckets.sorted().map(\.number))]
        return try await pool.rows(Self.owing, binds) { try $0.uuids(0) }.flatMap(\.self)
    }

    /// Records that buckets were sent a revision; an older revision changes nothing.
    ///
    /// - `owed`: Devices of these buckets that are still to be sent it; the next record of a bucket replaces them.
    /// - Returns: False when the node has no term or another node owns one of the buckets: it must stop sending.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
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
        return try await pool.write(Self.advance, binds) == wanted.count
    }
}

extension Pool {
    /// Takes the progress of buckets over for a term that owns them; returns the revisions sent and announced there.
    func takeProgress(
        of match: MatchID,
        in buckets: [Bucket],
        term: Term,
        at now: Instant
    ) async throws(FollowError) -> [Bucket: (sent: Int64, announced: Int64)] {
        let binds: [Bind] = [
            .text(match.text), .smallints(buckets.sorted().map(\.number)), .int(term.number), .timestamp(now),
        ]
        // One statement: a node that is stopped inside a transaction would keep these rows and its buckets locked.
        let taken = try await rows(ProgressRecords.take, binds) { row in
            (Bucket(Int(try row.int(0))), (sent: try row.int(1), announced: try row.int(2)))
        }
        return taken.reduce(into: [:]) { revisions, row in
            if let bucket = row.0 { revisions[bucket] = row.1 }
        }
    }
}
