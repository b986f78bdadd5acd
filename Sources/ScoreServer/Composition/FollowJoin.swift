// The public API's follows, kept by FollowService.

import FollowService
import ScoreTypes

/// Joins the two rooms.
struct FollowJoin: FollowDirectory {
    let store: FollowService.Follows

    func follows(of device: DeviceID) async throws -> [FollowView] {
        try await store.list(device).map(FollowView.init)
    }

    func put(_ wish: FollowWish, device: DeviceID, clientSequence: Int64) async throws -> FollowOutcome {
        let outcome = try await store.put(FollowService.FollowWish(wish), of: device, clientSeq: clientSequence)
        guard let joined = Self.outcome(outcome) else {
            throw ServiceProblem(
                .validationFailed,
                "A device follows at most \(FollowService.Follows.perDeviceMax) matches."
            )
        }
        return joined
    }

    func remove(_ match: MatchID, device: DeviceID, clientSequence: Int64) async throws -> FollowOutcome? {
        let outcome = try await store.remove(match, of: device, clientSeq: clientSequence)
        if case .outdated = outcome { return Self.outcome(outcome) }
        return nil
    }

    func replaceAll(_ wishes: [FollowWish], device: DeviceID, clientSequence: Int64) async throws -> FollowListOutcome {
        let listed = wishes.map(FollowService.FollowWish.init)
        guard let outcome = try await store.replaceAll(listed, of: device, clientSeq: clientSequence) else {
            throw ServiceProblem(.validationFailed, "The list is too long.")
        }
        return .stored(
            follows: outcome.follows.map(FollowView.init),
            added: outcome.added,
            removed: outcome.removed
        )
    }

    private static func outcome(_ outcome: FollowService.FollowOutcome) -> FollowOutcome? {
        switch outcome {
        case .stored(let follow): .stored(FollowView(follow), isNew: true)
        case .unchanged(let follow): .stored(FollowView(follow), isNew: false)
        case .outdated(let follow):
            .stale(clientSequence: follow.clientSeq, current: follow.isWanted ? FollowView(follow) : nil)
        case .limitReached: nil
        }
    }
}

extension FollowService.FollowWish {
    fileprivate init(_ wish: FollowWish) {
        self.init(
            match: wish.match,
            teamIntent: TeamIntent(rawValue: wish.teamIntent) ?? .neither,
            alerts: AlertKinds(rawValue: wish.alerts.reduce(0) { $0 | $1.bit }),
            wantsActivity: wish.wantsActivity
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
                wantsActivity: follow.wantsActivity
            ),
            clientSequence: follow.clientSeq,
            changedAt: follow.changedAt
        )
    }
}
