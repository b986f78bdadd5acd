// A channel is created when its match begins within two days and a device with channels follows it.

internal import FollowService
internal import Logging
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

/// A requested channel exceeds Apple's limit, and no match with an unused channel begins later.
private struct ChannelShortage: Error, CustomStringConvertible {
    let description = "Apple's limit of channels is reached"
}

extension ChannelMaintenance {
    /// Creates requested channels of one environment as far as Apple's limit allows.
    func createRequested(in environment: PushEnvironment) async throws {
        let requests = try await records.due(
            environment,
            ahead: LiveActivityLimits.channelAhead,
            late: JournalLimits.startingLate,
            limit: LiveActivityLimits.channelsCreatedPerLook
        )
        var missing = requests.count
        defer { Self.gauge("score_channels_missing", missing, environment) }
        guard let nearest = requests.first else { return }
        let plan = try await plan(requests, from: nearest.startsAt, in: environment)
        for record in plan.deletions {
            log.notice("a channel is deleted for a match that begins sooner", metadata: ["match.id": "\(record.match)"])
            try await delete(record)
        }
        for kind in plan.creations {
            _ = try await dispatcher.channels.ensure(kind)
            await dispatcher.channels.release(kind.match)
            missing -= 1
        }
        if plan.refusedCount > 0 { throw ChannelShortage() }
    }

    private func plan(
        _ requests: [ChannelRequest],
        from nearest: Instant,
        in environment: PushEnvironment
    ) async throws -> ChannelPlan {
        let used = try await records.count(environment) + (unrecorded[environment]?.count ?? 0)
        let capacity = LiveActivityLimits.channelsMax - LiveActivityLimits.channelsReserved - used
        guard capacity < requests.count else {
            return ChannelPlan(requests: requests, unused: [], capacity: capacity)
        }
        let unused = try await records.unused(environment, startingAfter: nearest, limit: requests.count)
        return ChannelPlan(requests: requests, unused: unused, capacity: capacity)
    }
}
