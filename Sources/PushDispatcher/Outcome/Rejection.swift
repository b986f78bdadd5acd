// Only rejected tokens are reported to the source of tokens; accepted ones are counted.

public import ScoreTypes

/// A token that APNs rejected for good, for eviction.
public struct Rejection: Sendable, Hashable {
    /// The match of the rejected push.
    public let match: MatchID
    /// The device.
    public let device: DeviceID
    /// The generation of the rejected token; a newer token is not affected.
    public let generation: Int32
    /// APNs' timestamp in milliseconds since 1970: a later registration keeps its token; nil if APNs sent none.
    public let apnsTimestampMilliseconds: Int64?
    /// Whether the token is invalid or only bad in this environment.
    public let action: RejectionAction

    /// Makes the value from its fields.
    public init(
        match: MatchID,
        device: DeviceID,
        generation: Int32,
        apnsTimestampMilliseconds: Int64?,
        action: RejectionAction
    ) {
        self.match = match
        self.device = device
        self.generation = generation
        self.apnsTimestampMilliseconds = apnsTimestampMilliseconds
        self.action = action
    }
}
