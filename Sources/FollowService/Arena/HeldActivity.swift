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
    public var variant = ActivityVariant.own
}

extension HeldActivity {
    /// The activity of an entry.
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
