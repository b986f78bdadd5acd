// What a lane sends beside the fan-out: starts, single ends, broadcasts; and what it tells about all of it.

internal import HTTP2
internal import ScoreTypes

/// One request that is not part of a walk.
struct LaneRequest: Sendable {
    enum Target: Sendable, Hashable {
        case token(PushToken, device: DeviceID, generation: Int32)
        case channel(ChannelID)
    }

    /// Tries of one request; after that the next state or the sweep takes over.
    static let attemptsMax: UInt8 = 3

    let target: Target
    let match: MatchID
    let revision: Int64
    let kind: PayloadKind
    let priority: PushPriority
    let body: SharedBytes
    var attempt: UInt8 = 0
}

/// What a lane tells its dispatcher.
enum LaneEvent: Sendable {
    case completed(MatchID, [CompletedBucket])
    case rejected([Rejection])
    case broadcast(ChannelID, MatchID, revision: Int64, PushOutcome)
    case missed(MatchID, [MissedToken])
    /// The provider token was refused as too old.
    case tokenExpired(StoredProviderToken)
    /// The whole environment is refused: the operator has to look.
    case stopped(APNsReason)
}

/// Counts of a lane's answers.
struct LaneCounts: Sendable, Hashable {
    var accepted = 0
    var rejected = 0
    var failed = 0
    var superseded = 0
    var broadcasts = 0
    var byReason: [APNsReason: Int] = [:]
    var connections = 0
    var streamsInFlight = 0
}
