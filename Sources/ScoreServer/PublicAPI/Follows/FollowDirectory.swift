// What the public API needs of the room that keeps follows; the composition joins the two.

import ScoreTypes

/// The alerts that a person can want for a match.
enum FollowAlert: String, Sendable, Hashable, CaseIterable {
    case wicket, milestone, result, start

    /// The bit in the stored mask.
    var bit: Int16 {
        switch self {
        case .wicket: 1
        case .milestone: 2
        case .result: 4
        case .start: 8
        }
    }
}

/// Where else a person can want to see a match; the app reads these by itself.
enum FollowSurface: String, Sendable, Hashable, CaseIterable {
    case widget, control, lockAccessory, standby

    /// The bit in the stored mask.
    var bit: Int16 {
        switch self {
        case .widget: 1
        case .control: 2
        case .lockAccessory: 4
        case .standby: 8
        }
    }
}

/// What a person wants of one match.
struct FollowWish: Sendable, Hashable {
    let match: MatchID
    /// 0 nobody's side, 1 and 2 the match's first and second team.
    let teamIntent: Int16
    let alerts: Set<FollowAlert>
    /// Whether a Live Activity is wanted; without one there are alerts only.
    let wantsActivity: Bool
    /// The other surfaces wanted.
    var surfaces = Set(FollowSurface.allCases)
}

/// A follow as it is stored.
struct FollowView: Sendable, Hashable {
    let wish: FollowWish
    let clientSequence: Int64
    let changedAt: Instant
    /// The channel on which the app may start the match's activity by itself; nil: by a token.
    var channel: ChannelID?
}

/// What became of a change.
enum FollowOutcome: Sendable {
    case stored(FollowView, isNew: Bool)
    /// A request with a greater sequence number came first; what holds now, nil when the match is not followed.
    case stale(clientSequence: Int64, current: FollowView?)
}

/// What became of a whole list.
enum FollowListOutcome: Sendable {
    /// It holds, but for the outdated matches, of which a request with a greater sequence number told before.
    case stored(follows: [FollowView], added: [MatchID], removed: [MatchID], outdated: [MatchID])
    /// Such requests told of all its matches.
    case stale(clientSequence: Int64)
}

/// Keeps follows.
protocol FollowDirectory: Sendable {
    /// All that the device follows.
    func follows(of device: DeviceID) async throws -> [FollowView]
    func put(_ wish: FollowWish, device: DeviceID, clientSequence: Int64) async throws -> FollowOutcome
    /// nil when it was removed, or not there.
    func remove(_ match: MatchID, device: DeviceID, clientSequence: Int64) async throws -> FollowOutcome?
    /// Makes the device follow what is listed; the kept matches stay as they are.
    func replaceAll(
        _ wishes: [FollowWish],
        keeping kept: Set<MatchID>,
        device: DeviceID,
        clientSequence: Int64
    ) async throws -> FollowListOutcome
}
