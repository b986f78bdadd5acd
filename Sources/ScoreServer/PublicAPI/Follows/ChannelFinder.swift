// The routes call this part of the store of channels; their tests replace it.

import FollowService
import ScoreTypes

/// Finds channels; see ``FollowService/ChannelRecords``.
protocol ChannelFinder: Sendable {
    func currentOrRequested(_ kinds: Set<ChannelKind>) async throws -> [ChannelKind: ChannelID]
    func find(_ channel: ChannelID, in environment: PushEnvironment) async throws -> ChannelRecord?
}

extension ChannelRecords: ChannelFinder {}
