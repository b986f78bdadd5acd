// An activity for which nothing was accepted for half an hour is ended, so that no phone shows an old score for ever.

internal import Postgres
public import ScoreTypes

/// The silent activities and channels of one sweep.
public struct SilentFindings: Sendable, Hashable {
    /// Activities on tokens; they are marked as ending, and their end push is yet to be sent.
    public let activities: [EndingActivity]
    /// Silent channels; after the end broadcast ``SilentActivities/finish(_:in:reason:)`` ends their activities.
    public let channels: [ChannelRecord]
    /// Whether more wait for the next call.
    public let hasMore: Bool
}

/// Finds silent activities by the progress of their buckets and channels, since activities have no time of their own.
public struct SilentActivities: Sendable {
    private typealias SilentKey = (key: DeviceMatchKey, generation: Int32?)

    let activities: Activities
    /// How far this node has read the silent matches.
    let kept = KeptPasses()
    private let bounds: SilentBounds

    /// Makes the store over that of activities.
    init(activities: Activities, bounds: SilentBounds = SilentBounds()) {
        self.activities = activities
        self.bounds = bounds
    }

    /// Finds and marks silent activities of buckets, and finds silent channels.
    ///
    /// It reads ``FollowLimits/silentPagesPerCall`` pages of activities at most; the next call continues behind them.
    ///
    /// - `cutoff`: Activities and channels without an accepted push since then are silent.
    /// - `exceptions`: Activities that received nothing since the cutoff although their bucket was sent.
    /// - `limit`: Activities of each sort; more wait for the next call.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func find(
        before cutoff: Instant,
        buckets: [Bucket],
        exceptions: [(match: MatchID, device: DeviceID)] = [],
        limit: Int
    ) async throws(FollowError) -> SilentFindings {
        var passes = kept.passes
        let silent = try await silent(
            before: cutoff,
            buckets: buckets,
            exceptions: exceptions,
            limit: limit,
            passes: &passes
        )
        var ending: [EndingActivity] = []
        for start in stride(from: 0, to: silent.keys.count, by: FollowLimits.rowsPerStatement) {
            let batch = Array(silent.keys[start..<min(silent.keys.count, start + FollowLimits.rowsPerStatement)])
            ending += try await activities.beginEnd(batch, reason: .silent)
        }
        // Last, so that a failure leaves no activity behind a cursor that is not marked.
        if !buckets.isEmpty { kept.passes = passes }
        return SilentFindings(activities: ending, channels: silent.channels, hasMore: silent.hasMore)
    }

    /// The number of activities and channels that ``find(before:buckets:exceptions:limit:)`` would return; marks none.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func count(
        before cutoff: Instant,
        buckets: [Bucket],
        exceptions: [(match: MatchID, device: DeviceID)] = [],
        limit: Int
    ) async throws(FollowError) -> (count: Int, hasMore: Bool) {
        var passes = kept.passes
        let silent = try await silent(
            before: cutoff,
            buckets: buckets,
            exceptions: exceptions,
            limit: limit,
            passes: &passes
        )
        return (Set(silent.keys.map(\.key)).count + silent.channels.count, silent.hasMore)
    }

    private func silent(
        before cutoff: Instant,
        buckets: [Bucket],
        exceptions: [(match: MatchID, device: DeviceID)],
        limit: Int,
        passes: inout SilentPasses
    ) async throws(FollowError) -> (keys: [SilentKey], channels: [ChannelRecord], hasMore: Bool) {
        var keys: [SilentKey] = []
        var isComplete = true
        if !buckets.isEmpty {
            (keys, isComplete) = try await read(before: cutoff, buckets: buckets, limit: limit, passes: &passes)
            let retry = activities.clock.wall - FollowLimits.endRetryTime
            let binds: [Bind] = [.smallints(buckets.map(\.number)), .timestamp(retry), .int(Int64(limit))]
            keys += try await activities.pool.rows(SilentStatements.unanswered, binds, decode: Self.key)
        }
        if !exceptions.isEmpty {
            let excepted = exceptions.map { DeviceMatchKey(match: $0.match, device: $0.device) }.binds
            let binds = excepted + [.timestamp(cutoff)]
            keys += try await activities.pool.rows(SilentStatements.exceptions, binds, decode: Self.key)
        }
        let channels = try await activities.pool.rows(SilentStatements.channels, [.timestamp(cutoff)]) { row in
            try row.channelRecord()
        }
        return (keys, channels.compactMap(\.self), !isComplete || keys.count >= limit)
    }

    /// Continues the passes over silent matches; complete unless the limit or the number of pages ended it before.
    private func read(
        before cutoff: Instant,
        buckets: [Bucket],
        limit: Int,
        passes: inout SilentPasses
    ) async throws(FollowError) -> (keys: [SilentKey], isComplete: Bool) {
        let now = activities.clock.wall
        let places = Bind.smallints(buckets.map(\.number))
        let binds: [Bind] = [places, .timestamp(cutoff), .timestamp(now - FollowLimits.silentAfterEnd)]
        let matches = try await activities.pool.rows(SilentStatements.matches, binds) { row in
            SilentMatch(
                match: MatchID(unchecked: try row.text(0)),
                endedLongAgo: try row.bool(1),
                buckets: Int(try row.int(2))
            )
        }
        passes.begin(over: matches, at: now, restingAfter: bounds.rowsPerPage)
        var keys: [SilentKey] = []
        for _ in 0..<bounds.pagesPerCall where keys.count < limit {
            guard let (match, after) = passes.next else { break }
            let binds: [Bind] = [
                .text(match.text), places, .smallint(after.bucket), .uuid(after.device), .timestamp(cutoff),
                .int(Int64(bounds.rowsPerPage)), .int(Int64(limit - keys.count)),
            ]
            let rows = try await activities.pool.rows(SilentStatements.page, binds) { row in
                (cursor: try AudienceCursor(row), generation: try row.medium(2), read: Int(try row.int(3)))
            }
            let found = rows.filter { $0.read == 0 }
            for row in found {
                keys.append((key: DeviceMatchKey(match: match, device: row.cursor.device), generation: row.generation))
            }
            let read = rows.last?.read ?? 0
            let end = read < bounds.rowsPerPage ? nil : rows.last?.cursor
            passes.read(read, of: match, upTo: keys.count < limit ? end : found.last?.cursor, at: now)
        }
        return (keys, passes.next == nil)
    }

    /// Marks the activities of a channel as ended, after APNs accepted the end broadcast.
    ///
    /// The channel is found again only after a further broadcast and a further silence.
    ///
    /// - Returns: The number of ended activities.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func finish(
        _ channel: ChannelRecord,
        in buckets: [Bucket],
        reason: EndReason
    ) async throws(FollowError) -> Int {
        let ended = try await finishActivities(on: channel, in: buckets, reason: reason)
        let swept: [Bind] = [
            .smallint(channel.environment.code), .text(channel.channel.text), .timestamp(activities.clock.wall),
        ]
        try await activities.pool.write(SilentStatements.noteSwept, swept)
        return ended
    }

    /// Marks the activities of a channel as ended, page by page.
    func finishActivities(
        on channel: ChannelRecord,
        in buckets: [Bucket],
        reason: EndReason
    ) async throws(FollowError) -> Int {
        let binds: [Bind] = [
            .text(channel.match.text), .smallints(buckets.map(\.number)), .text(channel.channel.text),
            .text(reason.rawValue), .int(Int64(bounds.rowsPerPage)),
        ]
        var (ended, before) = (0, -1)
        // The last pass finds the activities that were registered behind the cursor meanwhile.
        while ended > before {
            before = ended
            var cursor: AudienceCursor? = .start
            while let after = cursor {
                let place: [Bind] = [
                    .smallint(after.bucket), .uuid(after.device), .int(Int64(bounds.endsPerStatement)),
                ]
                let page = try await activities.pool.commit { connection in
                    try connection.query(SilentStatements.finishChannel, binds + place) { row in
                        (last: try AudienceCursor(row), hasMore: try row.bool(2), ended: Int(try row.int(3)))
                    }
                }.first
                ended += page?.ended ?? 0
                cursor = page.flatMap { $0.hasMore ? $0.last : nil }
            }
        }
        return ended
    }

    private static let key: @Sendable (Row) throws -> SilentKey = { row in
        (try row.activityKey(), try row.medium(2))
    }
}
