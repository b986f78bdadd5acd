// Renewals read single activities from the arena, without the bytes of their tokens.

public import ScoreTypes

/// An activity whose token an arena holds.
public struct HeldActivity: Sendable, Hashable {
    /// The device that shows it.
    public let device: DeviceID
    /// Grows with every registration of this activity; an answer to an older one is ignored.
    public let generation: Int32
    /// Its start in seconds since 1970; a phone ends it after eight hours.
    public let startedAt: UInt32
    /// The registration of its token in seconds since 1970, rounded up; an earlier rejection is ignored.
    public let registeredAt: UInt32
    /// The APNs environment of its token.
    public let environment: PushEnvironment
    /// The content state that it decodes.
    public let variant: ActivityVariant
    /// The moments that the person wants as alerts of the activity.
    public let wish: AlertWish

    /// Describes an activity.
    public init(
        device: DeviceID,
        generation: Int32,
        startedAt: UInt32,
        registeredAt: UInt32 = 0,
        environment: PushEnvironment,
        variant: ActivityVariant = .own,
        wish: AlertWish = .all
    ) {
        self.device = device
        self.generation = generation
        self.startedAt = startedAt
        self.registeredAt = registeredAt
        self.environment = environment
        self.variant = variant
        self.wish = wish
    }
}
