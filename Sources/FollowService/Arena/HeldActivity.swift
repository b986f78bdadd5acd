// Renewals read single activities from the arena, without the bytes of their tokens.

public import ScoreTypes

/// An activity whose token an arena holds.
public struct HeldActivity: Sendable, Hashable {
    /// The device that shows it.
    public let device: DeviceID
    /// The generation of its registration.
    public let generation: Int32
    /// Its start in seconds since 1970.
    public let startedAt: UInt32
    /// The APNs environment of its token.
    public let environment: PushEnvironment
    /// The content state that it decodes.
    public let variant: ActivityVariant

    /// Describes an activity.
    public init(
        device: DeviceID,
        generation: Int32,
        startedAt: UInt32,
        environment: PushEnvironment,
        variant: ActivityVariant = .own
    ) {
        self.device = device
        self.generation = generation
        self.startedAt = startedAt
        self.environment = environment
        self.variant = variant
    }

    init(_ entry: ArenaEntry) {
        self.init(
            device: entry.device,
            generation: entry.generation,
            startedAt: entry.startedAt,
            environment: entry.environment,
            variant: entry.variant
        )
    }
}
