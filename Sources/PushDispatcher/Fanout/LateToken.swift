// A token that walks do not reach: it was registered after the walk, or a walk left it behind.

public import ScoreTypes

/// A token that receives the newest state outside the walks.
public struct LateToken: Sendable, Hashable {
    let device: DeviceID
    let generation: Int32
    let environment: PushEnvironment
    let variant: UInt8
    /// The newest revision that the phone is known to show; 0 for none.
    let knownRevision: Int64

    /// Makes a late token.
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
