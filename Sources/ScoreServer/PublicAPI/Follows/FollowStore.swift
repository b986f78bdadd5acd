// The routes call the follow store through this protocol, so that their tests need no database.

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
    func remove(
        _ match: MatchID,
        of device: DeviceID,
        clientSequence: Int64,
        isKnown: Bool
    ) async throws -> FollowOutcome
    func replaceAll(
        _ list: [FollowSettings],
        keeping kept: Set<MatchID>,
        of device: DeviceID,
        clientSequence: Int64
    ) async throws -> FollowListOutcome
}

extension Follows: FollowStore {}
