// The parts of the follow store that the routes call; tests put stubs in their place.

import FollowService
import ScoreTypes

/// Stores follows; see ``FollowService/Follows``.
protocol FollowStore: Sendable {
    func list(_ device: DeviceID) async throws -> [Follow]
    func put(
        _ settings: FollowSettings,
        of device: DeviceID,
        clientSequence: Int64
    ) async throws -> FollowOutcome
    func remove(_ match: MatchID, of device: DeviceID, clientSequence: Int64) async throws -> FollowOutcome
    func replaceAll(
        _ list: [FollowSettings],
        keeping kept: Set<MatchID>,
        of device: DeviceID,
        clientSequence: Int64
    ) async throws -> FollowListOutcome
}

extension Follows: FollowStore {}

/// Reads the channels of a match; see ``FollowService/ChannelRecords``.
protocol ChannelReader: Sendable {
    func channels(of match: MatchID) async throws -> [ChannelRecord]
}

extension ChannelRecords: ChannelReader {}
