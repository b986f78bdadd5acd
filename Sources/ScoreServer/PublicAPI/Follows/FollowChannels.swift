// ActivityKit names no channel to an app, so that every answer about a follow does.

import FollowService
import MatchEngine
import ScoreTypes

/// Finds the channels that suit the follows of a device.
struct FollowChannels: Sendable {
    let devices: any DeviceStore
    let channels: any ChannelFinder
    /// Swift type of the attributes in an app that names none.
    let attributesType: String

    /// The channel of each follow, by match; a missing one is requested, and created before its match begins.
    ///
    /// A device without channels or without frequent pushes has none, nor has a follow without a Live Activity.
    func channels(for follows: [Follow], of device: DeviceID) async throws -> [MatchID: ChannelID] {
        guard follows.contains(where: Self.wantsChannel), let device = try await devices.find(device),
            device.abilities.isSuperset(of: .onChannels)
        else { return [:] }
        let kinds = Dictionary(
            follows.filter(Self.wantsChannel).map { ($0.match, kind(for: $0.settings, on: device)) }
        ) { first, _ in first }
        let found = try await channels.currentOrRequested(Set(kinds.values))
        return kinds.compactMapValues { found[$0] }
    }

    private static func wantsChannel(_ follow: Follow) -> Bool { follow.isFollowed && follow.settings.wantsActivity }

    private func kind(for settings: FollowSettings, on device: DeviceRecord) -> ChannelKind {
        ChannelKind(
            match: settings.match,
            environment: device.environment,
            attributesType: device.startVariant == .portable ? SurfaceRenderer.attributesType : attributesType,
            profile: ChannelProfile(
                alerts: settings.alerts,
                teamIntent: settings.teamIntent,
                quietHours: device.quietHours,
                abilities: device.abilities
            )
        )
    }
}
