// The dispatcher learns which tokens APNs rejects; the store removes them.

/// A token of an activity or of a device that APNs rejected permanently.
public struct RejectedToken: Sendable, Hashable {
    /// The match whose push was rejected.
    public let match: MatchID
    /// The device.
    public let device: DeviceID
    /// The generation of the rejected registration; a newer one is not affected.
    public let generation: Int32
    /// When the token was known to be dead: APNs' own time for status 410, the time of the answer otherwise.
    ///
    /// A registration after it keeps its token; nil for an unknown time.
    public let deadAt: Instant?

    /// Makes the value from its fields.
    public init(match: MatchID, device: DeviceID, generation: Int32, deadAt: Instant?) {
        self.match = match
        self.device = device
        self.generation = generation
        self.deadAt = deadAt
    }
}
