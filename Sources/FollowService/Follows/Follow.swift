// The wish to follow a match outlives every activity, token and channel that serves it.

public import ScoreTypes

/// Whose side a follower is on.
public enum TeamIntent: Int16, Sendable, Hashable, CaseIterable {
    case neither = 0
    case first = 1
    case second = 2
}

/// Which moments a follower wants to be alerted of.
public struct AlertKinds: OptionSet, Sendable, Hashable {
    /// The bits as stored.
    public let rawValue: Int16

    /// Wraps stored bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }

    /// A wicket fell.
    public static let wicket = AlertKinds(rawValue: 1)
    /// A fifty, a hundred, five wickets, a hat-trick.
    public static let milestone = AlertKinds(rawValue: 2)
    /// The innings or the match ended.
    public static let result = AlertKinds(rawValue: 4)
    /// Play starts.
    public static let start = AlertKinds(rawValue: 8)
    /// What somebody gets who chose nothing.
    public static let all: AlertKinds = [.wicket, .milestone, .result, .start]
}

/// Where a person wants to see a match beside its Live Activity and its alerts; the app reads these by itself.
public struct FollowSurfaces: OptionSet, Sendable, Hashable {
    /// The bits as stored.
    public let rawValue: Int16

    /// Wraps stored bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }

    /// On the Home Screen.
    public static let widget = FollowSurfaces(rawValue: 1)
    /// In Control Center.
    public static let control = FollowSurfaces(rawValue: 2)
    /// Beside the Lock Screen's clock.
    public static let lockAccessory = FollowSurfaces(rawValue: 4)
    /// On a charging phone that lies on its side.
    public static let standby = FollowSurfaces(rawValue: 8)
    /// What somebody gets who chose nothing.
    public static let all: FollowSurfaces = [.widget, .control, .lockAccessory, .standby]
}

/// How one device follows one match.
public struct Follow: Sendable, Hashable {
    /// The device.
    public let device: DeviceID
    /// The match.
    public let match: MatchID
    /// False once it was unfollowed; kept so that a late retry cannot revive it.
    public let isWanted: Bool
    /// Whose side the person is on.
    public let teamIntent: TeamIntent
    /// The alerts wanted.
    public let alerts: AlertKinds
    /// Whether the person wants a Live Activity started for the match.
    public let wantsActivity: Bool
    /// Where else the person wants to see it.
    public let surfaces: FollowSurfaces
    /// The person dismissed the match's activity.
    public let isDismissed: Bool
    /// The device's own count of its wishes.
    public let clientSequence: Int64
    /// When it was last changed.
    public let changedAt: Instant
}

/// What a device wishes for one match.
public struct FollowWish: Sendable, Hashable {
    /// The match.
    public let match: MatchID
    /// Whose side the person is on.
    public let teamIntent: TeamIntent
    /// The alerts wanted.
    public let alerts: AlertKinds
    /// Whether the person wants a Live Activity started for the match.
    public let wantsActivity: Bool
    /// Where else the person wants to see it.
    public let surfaces: FollowSurfaces

    /// Describes a wish.
    public init(
        match: MatchID,
        teamIntent: TeamIntent = .neither,
        alerts: AlertKinds = .all,
        wantsActivity: Bool = true,
        surfaces: FollowSurfaces = .all
    ) {
        self.match = match
        self.teamIntent = teamIntent
        self.alerts = alerts
        self.wantsActivity = wantsActivity
        self.surfaces = surfaces
    }
}

/// What became of a wish to follow or to follow no longer.
public enum FollowOutcome: Sendable, Hashable {
    /// It was written; new when the match was not followed before.
    case stored(Follow, isNew: Bool)
    /// The same call had been written before.
    case unchanged(Follow)
    /// A newer wish of the device is stored.
    case outdated(Follow)
    /// The device follows as many matches as it may.
    case limitReached
    /// The device was erased.
    case unknownDevice
}

/// What became of a device's whole list.
public enum FollowListOutcome: Sendable, Hashable {
    /// It was written, but for single matches with a newer wish.
    case replaced(FollowListChange)
    /// There is a newer wish for every match that it concerns; the newest one's count.
    case outdated(clientSequence: Int64)
    /// It has more matches than a device may follow.
    case limitReached
    /// The device was erased.
    case unknownDevice
}

/// What a device follows now, and what of it is new.
public struct FollowListChange: Sendable, Hashable {
    /// What the device follows now.
    public let follows: [Follow]
    /// Matches that were not followed before.
    public let added: [MatchID]
    /// Matches that are followed no longer.
    public let removed: [MatchID]
    /// Matches of the list for which a newer wish was stored already.
    public let outdated: [MatchID]
}

/// What the follows' lanes tell a call.
struct FollowAnswer: Sendable {
    let outcome: FollowOutcome
    /// Whether a registration that is under way may have copied another wish than this.
    var mayBeMissed = false
}

/// A call of the follows' lanes.
struct FollowCall: LaneCall {
    let device: DeviceID
    let match: MatchID
    /// Nil: no longer followed.
    let wish: FollowWish?
    let clientSequence: Int64

    var key: DeviceMatchKey { DeviceMatchKey(match: match, device: device) }

    /// The newer call's caller waits for registrations, if anybody has to.
    func outcome(supersededBy newer: FollowCall, with answer: FollowAnswer) -> FollowAnswer {
        switch answer.outcome {
        case .stored(let follow, _), .unchanged(let follow), .outdated(let follow):
            FollowAnswer(outcome: .outdated(follow))
        case .limitReached, .unknownDevice: answer
        }
    }
}
