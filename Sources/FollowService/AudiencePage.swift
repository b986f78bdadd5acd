// The followers and the activities of a match are read in pages, since a final has millions of them.

internal import Postgres
public import ScoreTypes

/// The position of a page in the order of bucket and device.
public struct AudienceCursor: Sendable, Hashable, Comparable {
    /// The bucket of the device that the page ended with.
    public let bucket: Int16
    let device: DeviceID

    /// Before the first device of all.
    public static let start = AudienceCursor(bucket: -1, device: DeviceID(high: 0, low: 0))

    /// After the last device of a bucket.
    public static func end(of bucket: Bucket) -> AudienceCursor {
        AudienceCursor(bucket: bucket.number, device: DeviceID(high: .max, low: .max))
    }

    /// Compares the places.
    public static func < (left: AudienceCursor, right: AudienceCursor) -> Bool {
        (left.bucket, left.device.high, left.device.low) < (right.bucket, right.device.high, right.device.low)
    }
}

extension AudienceCursor {
    /// Reads the first two columns of a row.
    init(_ row: Row) throws { self.init(bucket: try row.small(0), device: try row.uuid(1)) }
}

/// A page of the devices of a match, in order of bucket and device.
public struct AudiencePage<Member: Sendable>: Sendable {
    /// The devices that were searched for; a page may have none and a next page.
    public let members: [Member]
    /// Where the next page begins; nil at the end.
    public let next: AudienceCursor?
    /// The rows that were read for it, also those that are no members; 0 where they are not counted.
    public var rowsRead = 0
}

extension Pool {
    /// Reads a page of the followers of a match by a statement with ``PageStatements``.
    ///
    /// The first three columns of the statement are bucket, device and whether the row is the last follower that was
    /// read; a member is read from the fourth column on. `further` has the parameters from $7 on, the limit among them.
    /// The page reads `rows` followers at most, at least 1.
    func followers<Member: Sendable>(
        _ statement: Statement,
        of match: MatchID,
        buckets: ClosedRange<Bucket>,
        after cursor: AudienceCursor,
        rows: Int,
        _ further: [Bind],
        limit: Int,
        member: @escaping @Sendable (Row, DeviceID) throws -> Member?
    ) async throws(FollowError) -> AudiencePage<Member> {
        let place: [Bind] = [
            .text(match.text), .smallint(buckets.lowerBound.number), .smallint(buckets.upperBound.number),
            .smallint(cursor.bucket), .uuid(cursor.device), .int(Int64(rows - 1)),
        ]
        let read = try await self.rows(statement, place + further) { row in
            let (cursor, isLastRead) = (try AudienceCursor(row), try row.bool(2))
            return (cursor: cursor, member: isLastRead ? nil : try member(row, cursor.device), isLastRead: isLastRead)
        }
        let found = read.filter { !$0.isLastRead }
        let end = found.count < limit ? read.last { $0.isLastRead } : found.last
        return AudiencePage(members: found.compactMap(\.member), next: end?.cursor)
    }
}

enum PageStatements {
    /// A common table expression: the last follower that one page reads, the one behind $6 others, if there is one.
    ///
    /// It bounds a page, so that followers who are no members cost no more than members.
    static let lastRead: StaticString = """
        last_read as materialized (
            select f.bucket, f.device_id from follow f
            where f.match_id = $1 and f.bucket between $2 and $3 and (f.bucket, f.device_id) > ($4, $5)
            order by f.bucket, f.device_id offset $6 limit 1
        )
        """

    /// The condition for a follow `f` that the page reads.
    static let isRead: StaticString = """
        f.match_id = $1 and f.bucket between $2 and $3 and (f.bucket, f.device_id) > ($4, $5)
          and (f.bucket, f.device_id) <= (
              coalesce((select bucket from last_read), $3),
              coalesce((select device_id from last_read), 'ffffffff-ffff-ffff-ffff-ffffffffffff'))
        """
}
