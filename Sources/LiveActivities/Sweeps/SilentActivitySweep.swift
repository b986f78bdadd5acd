// A phone must not show an old score for ever: what APNs has accepted nothing for is ended.

internal import FollowService
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

/// Ends activities that were silent for half an hour; one node does it for all.
public struct SilentActivitySweep: Sendable {
    let ending: ActivityEnding
    let clock: ServiceClock
    private var stores: FollowerStores { ending.stores }

    /// Whether every match that was on at the start is published: before, its activities look silent and are not.
    public var isReady: Bool { ending.publications.isRecovered }

    /// The number of activities and channels that ``sweep(limit:)`` would end, and whether more would wait.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func count(limit: Int) async throws -> (count: Int, hasMore: Bool) {
        try await stores.silent.count(
            before: clock.wall - silence,
            buckets: Bucket.all,
            exceptions: await ending.dispatcher.exceptions(silentFor: silence),
            limit: limit
        )
    }

    /// Ends silent activities and channels, the activities that a recent erasure has missed, and those that were
    /// registered on a channel after its end.
    ///
    /// - Returns: The number of ended activities and channels, and whether more wait.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func sweep(limit: Int) async throws -> (count: Int, hasMore: Bool) {
        let found = try await stores.silent.find(
            before: clock.wall - silence,
            buckets: Bucket.all,
            exceptions: await ending.dispatcher.exceptions(silentFor: silence),
            limit: limit
        )
        await ending.end(found.activities)
        for channel in found.channels { await ending.end(channel, because: .silent) }
        let left = try await stores.erased.endLeft()
        await ending.end(left)
        let late = try await stores.silent.finishRetired(in: Bucket.all)
        return (found.activities.count + found.channels.count + left.count + late, found.hasMore)
    }

    /// Ends the activities that this node's own pushes have missed: the sweeping node does not know them.
    ///
    /// - Parameter limit: Activities that it ends at most.
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func endExceptions(limit: Int) async throws {
        let found = try await stores.silent.find(
            before: clock.wall - silence,
            buckets: [],
            exceptions: await ending.dispatcher.exceptions(silentFor: silence),
            limit: limit
        )
        await ending.end(found.activities)
    }

    /// Silence is domain time: half an hour of the match, whatever the clock's speed.
    private var silence: Duration { clock.real(FollowLimits.silence, .silentActivity) }
}
