// Operators list activities page by page, and search the one whose token or id a log line names.

internal import Postgres
public import ScoreTypes

/// The state of an activity, by its name in the admin API.
public enum ActivityState: Int16, Sendable, Hashable, CaseIterable {
    case active = 1
    /// Its end was sent and is not answered.
    case ending = 2
    case ended = 3
}

/// An activity as operators see it.
public struct ListedActivity: Sendable, Hashable {
    /// The device that shows it.
    public let device: DeviceID
    /// The match that it shows.
    public let match: MatchID
    /// ActivityKit's id.
    public let activityID: ActivityID
    /// Whether it is active.
    public let state: ActivityState
    /// Why it ended; nil while it is active.
    public let endReason: EndReason?
    /// The APNs environment of its token or channel.
    public let environment: PushEnvironment
    /// The content state that it decodes.
    public let variant: ActivityVariant
    /// How it is reached; nil after its end.
    public let route: ActivityRoute?
    /// The starter.
    public let startedBy: ActivityStarter
    /// The start as the app reported it.
    public let startedAt: Instant
    /// When its token or channel was registered.
    public let tokenAt: Instant
    /// When its end was decided or reported; nil while it is active.
    public let endingAt: Instant?
    /// The number of registrations.
    public let generation: Int32
    /// The newest revision that the device had at its registration.
    public let knownRev: Int64
    /// The newest revision that APNs accepted for its bucket or its channel; 0 for none.
    public let accepted: Int64

    /// Its place in lists.
    public var cursor: ActivityChoice.Cursor { ActivityChoice.Cursor(device: device, match: match) }
}

/// A choice of activities.
public struct ActivityChoice: Sendable, Hashable {
    /// The place of a page's end: the last device and match.
    public struct Cursor: Sendable, Hashable {
        /// The device.
        public let device: DeviceID
        /// The match.
        public let match: MatchID

        /// Names an activity.
        public init(device: DeviceID, match: MatchID) { (self.device, self.match) = (device, match) }
    }

    /// Where the pages are read from: one index each.
    public enum Subject: Sendable, Hashable {
        case device(DeviceID)
        case match(MatchID)
        /// All activities whose end was sent and is not answered.
        case ending
    }

    /// The subject.
    public let subject: Subject
    /// Only activities of this state; nil for all.
    public let state: ActivityState?

    /// Describes a choice.
    public init(_ subject: Subject, state: ActivityState? = nil) { (self.subject, self.state) = (subject, state) }
}

/// A page of a list of activities.
public struct ActivityPage<Activity: Sendable>: Sendable {
    /// The activities; a short or an empty page may have a next one.
    public let activities: [Activity]
    /// The place where the next page begins; nil at the end.
    public let next: ActivityChoice.Cursor?

    /// Makes a page.
    public init(_ activities: [Activity], next: ActivityChoice.Cursor?) {
        (self.activities, self.next) = (activities, next)
    }
}

/// The SQL of lists.
private enum ListedActivityStatements {
    private static let columns: StaticString = """
        a.device_id, a.match_id, a.activity_id, a.state, a.end_reason, a.env, a.variant, a.channel_id, a.token,
        a.started_by, a.started_at, a.token_at, a.ending_at, a.gen, a.known_rev,
        coalesce(case when a.channel_id is null then f.sent_rev else c.sent_rev end, 0)
        """

    private static let progress: StaticString = """
        left join fanout f on f.match_id = a.match_id and f.bucket = a.bucket
        left join channel c on c.env = a.env and c.channel_id = a.channel_id
        """

    /// $1 and $2 are the device, $3 the match before the page.
    static let ofDevice: Statement = """
        select \(columns)
        from activity a
        \(progress)
        where a.bucket = $1 and a.device_id = $2 and a.match_id > $3 and ($4::smallint is null or a.state = $4)
        order by a.match_id limit $5
        """

    /// The activities of a state among $5 activities of a match behind a device, at most $6.
    ///
    /// $1 is the match, $2 has all buckets, $3 and $4 are the device before the page, $7 is the state or null. The last
    /// row is the last activity that was read, with the number of them.
    static let ofMatch: Statement = """
        with place as materialized (
            select b.bucket from unnest($2) as b(bucket) where b.bucket >= $3 order by b.bucket
        ), page as materialized (
            select a.bucket, a.device_id, $7::smallint is null or a.state = $7 as is_chosen
            from place p cross join lateral (
                select * from activity r
                where r.match_id = $1 and r.bucket = p.bucket and (p.bucket > $3 or r.device_id > $4)
                order by r.device_id) a
            limit $5
        ), listed as materialized (
            (select bucket, device_id, 0::bigint as read from page where is_chosen
             order by bucket, device_id limit $6)
            union all
            (select bucket, device_id, (select count(*) from page) from page
             order by bucket desc, device_id desc limit 1)
        )
        select \(columns), l.read
        from listed l
        join activity a on a.match_id = $1 and a.bucket = l.bucket and a.device_id = l.device_id
        \(progress)
        order by l.read, l.bucket, l.device_id
        """

    /// $1 to $3 are the activity before the page.
    static let ending: Statement = """
        select \(columns)
        from activity a
        \(progress)
        where a.state = 2 and (a.bucket, a.device_id, a.match_id) > ($1, $2, $3)
          and ($4::smallint is null or a.state = $4)
        order by a.bucket, a.device_id, a.match_id limit $5
        """

    /// The active activities of some buckets with a token or an id of a fingerprint; nothing indexes it.
    static let search: Statement = """
        select a.device_id, a.match_id from activity a
        where a.bucket between $1 and $2 and a.state = 1
          and (substr(sha256(a.token), 1, 6) = $3 or substr(sha256(a.activity_id::bytea), 1, 6) = $3)
        order by a.bucket, a.device_id, a.match_id limit $4
        """
}

extension Activities {
    /// A page of activities in order of bucket, device and match.
    ///
    /// - `rowsMax`: Activities of a match that the page reads when it chooses a state; it may then have fewer than
    ///   `limit`, or none, and a next page.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func list(
        _ choice: ActivityChoice,
        after cursor: ActivityChoice.Cursor? = nil,
        limit: Int,
        reading rowsMax: Int = FollowLimits.listedRowsPerPage
    ) async throws(FollowError) -> ActivityPage<ListedActivity> {
        let place = cursor?.device.binds ?? [.smallint(-1), .uuid(DeviceID(high: 0, low: 0))]
        let last = Bind.text(cursor?.match.text ?? "")
        let state: Bind = choice.state.map { .smallint($0.rawValue) } ?? .null
        let end: [Bind] = [state, .int(Int64(limit))]
        switch choice.subject {
        case .device(let device):
            return try await page(ListedActivityStatements.ofDevice, device.binds + [last] + end, limit: limit)
        case .match(let match):
            // Without a state every activity that is read is listed.
            let rows = choice.state == nil ? limit : rowsMax
            return try await page(of: match, behind: place, state, rows: rows, limit: limit)
        case .ending:
            return try await page(ListedActivityStatements.ending, place + [last] + end, limit: limit)
        }
    }

    /// A page of a statement that reads only what it lists.
    private func page(
        _ statement: Statement,
        _ binds: [Bind],
        limit: Int
    ) async throws(FollowError) -> ActivityPage<ListedActivity> {
        let found = try await pool.rows(statement, binds) { try $0.listedActivity() }
        return ActivityPage(found, next: found.count < limit ? nil : found.last?.cursor)
    }

    /// A page of a match among `rowsMax` activities behind a device.
    private func page(
        of match: MatchID,
        behind place: [Bind],
        _ state: Bind,
        rows rowsMax: Int,
        limit: Int
    ) async throws(FollowError) -> ActivityPage<ListedActivity> {
        let subject: [Bind] = [.text(match.text), .smallints(Bucket.all.map(\.number))]
        let bounds: [Bind] = [.int(Int64(rowsMax)), .int(Int64(limit)), state]
        let rows = try await pool.rows(ListedActivityStatements.ofMatch, subject + place + bounds) { row in
            (activity: try row.listedActivity(), read: Int(try row.int(16)))
        }
        let found = rows.filter { $0.read == 0 }.map(\.activity)
        let read = rows.last?.read ?? 0
        let end = read < rowsMax ? nil : rows.last?.activity.cursor
        return ActivityPage(found, next: found.count < limit ? end : found.last?.cursor)
    }

    /// Searches the active activities with a token or an id of a fingerprint, bucket by bucket, for a while.
    ///
    /// It hashes every active activity, half a million in a second of one core of PostgreSQL: 50 million take two
    /// minutes. Nothing indexes the fingerprints, since an index would slow every registration.
    ///
    /// - Returns: The devices that were found, and the bucket where the next search continues; nil at the end.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func search(
        _ fingerprint: Fingerprint,
        from bucket: Int16,
        within time: Duration
    ) async throws(FollowError) -> (found: [FoundToken], next: Int16?) {
        var search = BucketSearch(from: bucket, until: clock.monotonic + time)
        var found: [FoundToken] = []
        while let range = search.next(at: clock.monotonic), found.count < FollowLimits.tokensOfFingerprint {
            let binds: [Bind] = [
                .smallint(range.lowerBound), .smallint(range.upperBound), .bytes(fingerprint.bytes),
                .int(FollowLimits.tokensOfFingerprint),
            ]
            found += try await pool.rows(ListedActivityStatements.search, binds) { row in
                FoundToken(
                    device: try row.uuid(0),
                    kind: .activity,
                    match: MatchID(unchecked: try row.text(1))
                )
            }
            search.searched(range, at: clock.monotonic)
        }
        return (found, search.bucket < Bucket.count ? search.bucket : nil)
    }
}

/// The buckets that a search reads at a time: more while a read is fast, fewer once it is slow.
struct BucketSearch {
    /// The next bucket; the number of buckets at the end.
    private(set) var bucket: Int16
    private let end: Duration
    private var width: Int16 = 1
    private var startedAt: Duration = .zero

    init(from bucket: Int16, until end: Duration) { (self.bucket, self.end) = (bucket, end) }

    /// The next buckets to read; nil at the end, or when the time is over.
    mutating func next(at now: Duration) -> ClosedRange<Int16>? {
        guard bucket >= 0, bucket < Bucket.count, now < end else { return nil }
        startedAt = now
        return bucket...min(bucket + width, Int16(clamping: Bucket.count)) - 1
    }

    /// Continues behind buckets that were read.
    mutating func searched(_ range: ClosedRange<Int16>, at now: Duration) {
        bucket = range.upperBound + 1
        width = now - startedAt < FollowLimits.searchStep ? min(width * 2, FollowLimits.bucketsPerSearch) : 1
    }
}

extension Row {
    /// Reads the first sixteen columns of a list.
    fileprivate func listedActivity() throws -> ListedActivity {
        let channel = try textIfPresent(7).flatMap { ChannelID($0) }
        let token = PushToken(bytes: try bytes(8))
        return ListedActivity(
            device: try uuid(0),
            match: MatchID(unchecked: try text(1)),
            activityID: ActivityID(unchecked: try text(2)),
            state: ActivityState(rawValue: try small(3)) ?? .ended,
            endReason: try textIfPresent(4).flatMap { EndReason(rawValue: $0) },
            environment: try environment(5),
            variant: try variant(6),
            route: channel.map { .channel($0) } ?? token.map { .token($0) },
            startedBy: try small(9) == ActivityStarter.app.code ? .app : .push,
            startedAt: try timestamp(10),
            tokenAt: try timestamp(11),
            endingAt: try timestampIfPresent(12),
            generation: try medium(13),
            knownRev: try int(14),
            accepted: try int(15)
        )
    }
}
