// A follow outlives every activity, token and channel that serves it.

public import ScoreTypes

/// How one device follows one match.
public struct Follow: Sendable, Hashable {
    /// The device.
    public let device: DeviceID
    /// The match and what the follower wants of it.
    public let settings: FollowSettings
    /// False after an unfollow; the row stays, so that a delayed retry cannot follow again.
    public let isFollowed: Bool
    /// Whether the person dismissed the match's activity.
    public let isDismissed: Bool
    /// The client sequence of the newest change.
    public let clientSequence: Int64
    /// Time of the newest change.
    public let changedAt: Instant

    /// The match.
    public var match: MatchID { settings.match }

    var key: DeviceMatchKey { DeviceMatchKey(match: match, device: device) }

    /// Whether this is the state that a change with the same client sequence would store; nil settings for an unfollow.
    func isResult(of settings: FollowSettings?) -> Bool { isFollowed ? self.settings == settings : settings == nil }

    /// Whether a change is older than this state, or is another change with its number.
    func outdates(_ settings: FollowSettings?, clientSequence: Int64) -> Bool {
        self.clientSequence > clientSequence || self.clientSequence == clientSequence && !isResult(of: settings)
    }
}

/// The result of a follow or an unfollow.
public enum FollowOutcome: Sendable, Hashable {
    /// Written; `isNew` when the match was not followed before.
    case stored(Follow, isNew: Bool)
    /// The same call was written before, or an unfollow of an unknown match found no follow.
    case unchanged(Follow)
    /// A call with a greater client sequence is stored, or another call with the same one.
    case outdated(Follow)
    /// The device follows ``FollowLimits/followsPerDevice`` matches already.
    case limitReached
    /// The device is unknown or erased.
    case unknownDevice
}

/// The result of replacing a device's whole list.
public enum FollowListOutcome: Sendable, Hashable {
    /// Written, but for single matches with a greater client sequence.
    case replaced(FollowListChange)
    /// Every match concerned has a newer state, or another list has the same client sequence; the greatest of them.
    case outdated(clientSequence: Int64)
    /// The list has more than ``FollowLimits/followsPerDevice`` matches that are not over.
    case limitReached
    /// The device is unknown or erased.
    case unknownDevice
}

/// The difference that a new list made.
public struct FollowListChange: Sendable, Hashable {
    /// All follows of the device, by match.
    public let follows: [Follow]
    /// Matches that were not followed before.
    public let added: [MatchID]
    /// Matches that are no longer followed.
    public let removed: [MatchID]
    /// Matches that keep their stored state, because it is newer or another change with the same client sequence.
    public let outdated: [MatchID]
}

/// The answer of a follow writer to one call.
struct FollowAnswer: Sendable {
    let outcome: FollowOutcome
    /// Whether a registration in flight may have copied older settings.
    var mayBeMissed = false
}

/// A write of one follow.
struct FollowCall: BatchedCall, Equatable {
    let device: DeviceID
    let match: MatchID
    /// Nil for an unfollow.
    let settings: FollowSettings?
    let clientSequence: Int64
    /// Whether the match exists; an unfollow of another one is stored only over a follow.
    var isKnown = true

    var key: DeviceMatchKey { DeviceMatchKey(match: match, device: device) }

    func isRepeated(by other: FollowCall) -> Bool { settings == other.settings }

    /// The state after an unfollow that was not stored.
    func unfollowed(at now: Instant) -> Follow {
        Follow(
            device: device,
            settings: FollowSettings(match: match),
            isFollowed: false,
            isDismissed: false,
            clientSequence: clientSequence,
            changedAt: now
        )
    }

    /// The caller of the newer call waits for registrations in flight, if any caller has to.
    func outcome(supersededBy newer: FollowCall, with answer: FollowAnswer) -> FollowAnswer {
        switch answer.outcome {
        case .stored(let follow, _), .unchanged(let follow), .outdated(let follow):
            FollowAnswer(outcome: .outdated(follow))
        case .limitReached, .unknownDevice: answer
        }
    }
}
