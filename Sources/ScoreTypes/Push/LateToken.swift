// A token that is registered after its bucket was sent still has to receive the newest state.

/// An activity token that is to receive the newest state outside the walk of its bucket.
public struct LateToken: Sendable, Hashable {
    /// The match that the activity shows.
    public let match: MatchID
    /// The device that shows it.
    public let device: DeviceID
    /// The generation of the registration.
    public let generation: Int32
    /// The APNs environment of the token.
    public let environment: PushEnvironment
    /// Which content state the activity decodes.
    public let variant: ActivityVariant
    /// The newest revision that the device is known to show; 0 for none.
    public let knownRevision: Int64
    /// Whether the device does not allow frequent pushes.
    public let isInfrequent: Bool

    /// Makes the value from its fields.
    public init(
        match: MatchID,
        device: DeviceID,
        generation: Int32,
        environment: PushEnvironment,
        variant: ActivityVariant = .own,
        knownRevision: Int64 = 0,
        isInfrequent: Bool = false
    ) {
        self.isInfrequent = isInfrequent
        self.match = match
        self.device = device
        self.generation = generation
        self.environment = environment
        self.variant = variant
        self.knownRevision = knownRevision
    }
}
