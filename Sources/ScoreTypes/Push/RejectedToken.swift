// Only what was rejected crosses back to the keeper of the tokens; what was accepted is a count.

public import ScoreTypes

/// A token that APNs refused for good, for the store to act on.
public struct Rejection: Sendable, Hashable {
    /// The match whose push was refused.
    public let match: MatchID
    /// The device.
    public let device: DeviceID
    /// The generation of the refused token; a newer one is not meant.
    public let generation: Int32
    /// APNs' time in milliseconds since 1970: a registration after it keeps its token; nil when APNs gave none.
    public let apnsTimestampMilliseconds: Int64?
    /// Whether the token is dead or only suspect.
    public let action: RejectionAction

    /// Fills in the fields.
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
