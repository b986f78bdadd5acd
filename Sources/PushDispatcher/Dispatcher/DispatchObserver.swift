// Starts, ends and notifications have an owner elsewhere who wants to know what became of each.

public import ScoreTypes

/// What became of one start, end or notification, finally.
public struct DirectedOutcome: Sendable {
    /// What it was.
    public let kind: PayloadKind
    /// The match.
    public let match: MatchID
    /// The device.
    public let device: DeviceID
    /// The generation of the token that was used.
    public let generation: Int32
    /// Apple's world.
    public let environment: PushEnvironment
    /// The three words.
    public let outcome: PushOutcome
    /// For a rejection: when the token was known dead, in milliseconds since 1970.
    public let apnsTimestampMilliseconds: Int64?
}

/// Hears of starts, ends and notifications, and of the ends of channels; nothing is told of updates, which have no row.
public protocol DispatchObserver: Sendable {
    /// Each was settled for good: accepted, rejected, or failed after its last try.
    func settled(_ outcomes: [DirectedOutcome]) async
    /// The end of a channel was taken by APNs, or given up; it may be told again when it is asked for again.
    func ended(_ outcome: ChannelEndOutcome) async
}
