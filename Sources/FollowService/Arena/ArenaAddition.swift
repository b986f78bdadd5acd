// A token that came in after its bucket was sent must still get the newest state.

public import ScoreTypes

/// A token that was added to an open arena, or took the place of an older one.
public struct ArenaAddition: Sendable, Hashable {
    /// The match that the activity shows.
    public let match: MatchID
    /// The device that shows it.
    public let device: DeviceID
    /// The generation of the registration.
    public let generation: Int32
    /// Apple's world of the token.
    public let environment: PushEnvironment
    /// What the app draws.
    public let variant: ActivityVariant
    /// The newest revision that the device is known to have had at registration.
    public let knownRev: Int64
}

/// A part of a match's tokens that is sent, and whose progress is recorded, as one.
public struct ArenaUnit: Sendable, Hashable {
    /// The buckets of the part, in order.
    public let buckets: [Bucket]
    /// Tokens in it now.
    public let tokenCount: Int
}

/// A token that APNs refused for good.
public struct Eviction: Sendable, Hashable {
    /// The match of the activity.
    public let match: MatchID
    /// The device of the activity.
    public let device: DeviceID
    /// The generation that the refused push was sent to; a newer registration is not touched.
    public let generation: Int32
    /// When the token was known dead: APNs' own time for 410, the time of sending else; later registrations stay.
    public let deadAt: Instant?

    /// Describes a refused token.
    public init(match: MatchID, device: DeviceID, generation: Int32, deadAt: Instant?) {
        self.match = match
        self.device = device
        self.generation = generation
        self.deadAt = deadAt
    }
}
