// The sweep finds silent activities in records that belong to another room; this is the door to them.

public import ScoreTypes

/// An activity for which nothing was accepted for too long, perhaps.
public struct SilentActivity: Sendable {
    /// The match that it shows.
    public var match: MatchID
    /// The device.
    public var device: DeviceID
    /// The generation of its token.
    public var generation: Int32
    /// Apple's world.
    public var environment: PushEnvironment
    /// Its token.
    public var token: PushToken
    /// When something was last accepted for it: its bucket's progress, or its start; nil when unknown.
    public var lastAcceptedAt: Instant?

    /// Describes a candidate.
    public init(
        match: MatchID,
        device: DeviceID,
        generation: Int32,
        environment: PushEnvironment,
        token: PushToken,
        lastAcceptedAt: Instant?
    ) {
        self.match = match
        self.device = device
        self.generation = generation
        self.environment = environment
        self.token = token
        self.lastAcceptedAt = lastAcceptedAt
    }
}

/// What came of asking for a slot.
public enum SweepRun: Sendable, Hashable {
    case ran(SweepSummary)
    /// It had run before; the summary is the first one's.
    case repeated(SweepSummary)
    /// Somebody else runs it right now.
    case running
}

/// Where the sweep finds its work and leaves its mark.
public protocol SweepStore: Sendable {
    /// Runs the body unless the slot was swept before.
    func once(slot: String, _ body: @Sendable () async throws -> SweepSummary) async throws -> SweepRun

    /// Candidates whose records are older than the cutoff, and those excepted; at most `limit`.
    func silent(
        before cutoff: Instant,
        exceptions: [(match: MatchID, device: DeviceID)],
        limit: Int
    ) async throws -> [SilentActivity]

    /// Marks activities as ending, so that no sweep ends them twice.
    func markEnding(_ activities: [SilentActivity]) async throws
}
