// Not every token is found by a walk: some come after it, some are owed what a walk has left behind.

public import ScoreTypes

/// A token that is to get the newest state beside the walks.
public struct LateToken: Sendable, Hashable {
    let device: DeviceID
    let generation: Int32
    let environment: PushEnvironment
    let variant: UInt8
    /// The newest revision that the phone is known to show; 0 for none.
    let knownRevision: Int64

    /// Describes a token.
    public init(
        device: DeviceID,
        generation: Int32,
        environment: PushEnvironment,
        variant: UInt8,
        knownRevision: Int64 = 0
    ) {
        self.device = device
        self.generation = generation
        self.environment = environment
        self.variant = variant
        self.knownRevision = knownRevision
    }
}
