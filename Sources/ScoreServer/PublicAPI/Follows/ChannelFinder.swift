// The part of the store of channels that the routes call; tests put a stub in its place.

import FollowService
import ScoreTypes

/// Finds channels; see ``FollowService/ChannelRecords``.
protocol ChannelFinder: Sendable {
    func currentOrRequested(_ kinds: Set<ChannelKind>) async throws -> [ChannelKind: ChannelID]
    func find(_ channel: ChannelID, in environment: PushEnvironment) async throws -> ChannelRecord?
}

extension ChannelRecords: ChannelFinder {}
