// A node checks a reported channel by a record in memory, so that an activity may be stored on a channel after its end.

internal import Postgres
public import ScoreTypes

extension SilentActivities {
    /// Ends the activities that were registered on channels after their end, once for each channel and node.
    ///
    /// The end was broadcast, so that there is no push; the next reconcile of the app lists them as ended.
    ///
    /// - Returns: The number of ended activities.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func finishRetired(in buckets: [Bucket]) async throws(FollowError) -> Int {
        let now = activities.clock.wall
        let binds: [Bind] = [
            .timestamp(now - FollowLimits.retirementCheckAge), .timestamp(now - FollowLimits.lateReportTime),
        ]
        let rows = try await activities.pool.rows(SilentStatements.retired, binds) { try $0.channelRecord() }
        let retired = rows.compactMap(\.self)
        let begunAt = activities.clock.monotonic
        var ended = 0
        for channel in retired where !kept.finished.contains(channel.channel) {
            // The next sweep has the other channels.
            if activities.clock.monotonic - begunAt > FollowLimits.retiredCheckTime { break }
            let reason: EndReason = channel.supersededAt == nil ? .over : .expired
            ended += try await finishActivities(on: channel, in: buckets, reason: reason)
            kept.finished.insert(channel.channel)
        }
        kept.finished.formIntersection(retired.map(\.channel))
        return ended
    }
}
