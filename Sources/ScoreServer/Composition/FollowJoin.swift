// The public API's follows, kept by FollowService.

import FollowService
import MatchEngine
import ScoreTypes

/// Joins the two rooms.
struct FollowJoin: FollowDirectory {
    let store: FollowService.Follows
    let devices: FollowService.Devices
    let channels: ChannelRecords
    let attributesType: String
    let activities: FollowService.Activities
    /// Ends on the phone what it still shows of a match that is followed no longer.
    let ending: @Sendable ([EndingActivity]) async -> Void

    func follows(of device: DeviceID) async throws -> [FollowView] {
        try await store.list(device).map(FollowView.init)
    }

    func put(_ wish: FollowWish, device: DeviceID, clientSequence: Int64) async throws -> FollowOutcome {
        let outcome = try await store.put(FollowService.FollowWish(wish), of: device, clientSequence: clientSequence)
        let joined = try Self.outcome(outcome)
        guard case .stored(var view, let isNew) = joined else { return joined }
        view.channel = try await channel(for: view.wish, device: device)
        return .stored(view, isNew: isNew)
    }

    /// The channel that an app may start its activity on by itself; nil where there is none, or the phone is too old.
    private func channel(for wish: FollowWish, device: DeviceID) async throws -> ChannelID? {
        guard wish.wantsActivity, let record = try await devices.find(device), record.abilities.contains(.channels)
        else {
            return nil
        }
        let stored = FollowService.FollowWish(wish)
        let isUsual =
            stored.alerts.isSuperset(of: .all) && stored.teamIntent == .neither && record.quietHours == nil
            && record.abilities.contains(.alerts)
        let decoded = record.startVariant == .portable ? SurfaceRenderer.attributesType : attributesType
        return try await channels.channels(of: wish.match).last { channel in
            channel.environment == record.environment && channel.attributesType == decoded
                && channel.profile == (isUsual ? .loud : .quiet) && channel.isCurrent
        }?.channel
    }

    func remove(_ match: MatchID, device: DeviceID, clientSequence: Int64) async throws -> FollowOutcome? {
        let outcome = try await store.remove(match, of: device, clientSequence: clientSequence)
        if case .stale(let newest, let current) = try Self.outcome(outcome) {
            return .stale(clientSequence: newest, current: current)
        }
        await end([match], on: device, before: clientSequence)
        return nil
    }

    /// Takes the activities out of the fan-out at once, and off the phone by a push; a newer one stays.
    private func end(_ matches: [MatchID], on device: DeviceID, before clientSequence: Int64) async {
        var ends: [EndingActivity] = []
        for match in matches {
            // A failure leaves the activity to the next reconcile, which lists it as one to end.
            let begun = try? await activities.beginEnd(
                match: match,
                device: device,
                before: clientSequence,
                reason: .unfollowed
            )
            if let begun { ends.append(begun) }
        }
        if !ends.isEmpty { await ending(ends) }
    }

    func replaceAll(
        _ wishes: [FollowWish],
        keeping kept: Set<MatchID>,
        device: DeviceID,
        clientSequence: Int64
    ) async throws -> FollowListOutcome {
        let listed = wishes.map(FollowService.FollowWish.init)
        switch try await store.replaceAll(listed, keeping: kept, of: device, clientSequence: clientSequence) {
        case .replaced(let change):
            await end(change.removed, on: device, before: clientSequence)
            return .stored(
                follows: change.follows.map(FollowView.init),
                added: change.added,
                removed: change.removed,
                outdated: change.outdated
            )
        case .outdated(let newest): return .stale(clientSequence: newest)
        case .limitReached: throw Self.tooMany
        case .unknownDevice: throw ServiceProblem(.invalidCredential)
        }
    }

    private static let tooMany = ServiceProblem(
        .validationFailed,
        "A device follows at most \(FollowService.Follows.perDeviceMax) matches that are not over."
    )

    private static func outcome(_ outcome: FollowService.FollowOutcome) throws(ServiceProblem) -> FollowOutcome {
        switch outcome {
        case .stored(let follow, let isNew): return .stored(FollowView(follow), isNew: isNew)
        case .unchanged(let follow): return .stored(FollowView(follow), isNew: false)
        case .outdated(let follow):
            return .stale(clientSequence: follow.clientSequence, current: follow.isWanted ? FollowView(follow) : nil)
        case .limitReached: throw tooMany
        case .unknownDevice: throw ServiceProblem(.invalidCredential)
        }
    }
}

extension FollowService.FollowWish {
    fileprivate init(_ wish: FollowWish) {
        self.init(
            match: wish.match,
            teamIntent: TeamIntent(rawValue: wish.teamIntent) ?? .neither,
            alerts: AlertKinds(rawValue: wish.alerts.reduce(0) { $0 | $1.bit }),
            wantsActivity: wish.wantsActivity,
            surfaces: FollowSurfaces(rawValue: wish.surfaces.reduce(0) { $0 | $1.bit })
        )
    }
}

extension FollowView {
    fileprivate init(_ follow: FollowService.Follow) {
        self.init(
            wish: FollowWish(
                match: follow.match,
                teamIntent: follow.teamIntent.rawValue,
                alerts: Set(FollowAlert.allCases.filter { follow.alerts.rawValue & $0.bit != 0 }),
                wantsActivity: follow.wantsActivity,
                surfaces: Set(FollowSurface.allCases.filter { follow.surfaces.rawValue & $0.bit != 0 })
            ),
            clientSequence: follow.clientSequence,
            changedAt: follow.changedAt
        )
    }
}
