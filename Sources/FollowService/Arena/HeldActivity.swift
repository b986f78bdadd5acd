// Renewal and repeats ask the arena for one activity at a time, without its token's bytes.

public import ScoreTypes

/// An activity whose token an arena holds.
public struct HeldActivity: Sendable, Hashable {
    /// The device that shows it.
    public let device: DeviceID
    /// Its registration.
    public let generation: Int32
    /// When it began, in seconds since 1970.
    public let startedAt: UInt32
    /// Apple's world of its token.
    public let environment: PushEnvironment
    /// What it decodes.
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
