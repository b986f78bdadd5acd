// The fan-out reads these fields of an activity on a token.

public import ScoreTypes

/// One token in an arena; its bytes are valid only inside the body that receives the entry.
public struct ArenaEntry: Sendable {
    /// The device that shows the activity.
    public let device: DeviceID
    /// Grows with every registration of this activity; an answer to an older one is ignored.
    public let generation: Int32
    /// The start of the activity in seconds since 1970; a phone ends it after eight hours.
    public let startedAt: UInt32
    /// The registration of the token in seconds since 1970, rounded up; an earlier rejection is ignored.
    public let registeredAt: UInt32
    /// The APNs environment of the token.
    public let environment: PushEnvironment
    /// The content state that the app decodes.
    public let variant: ActivityVariant
    /// The moments that the person wants as alerts of the activity.
    public let wish: AlertWish
    // The arena reads it while the caller, which owns the memory, waits.
    /// The token, 1 to 256 bytes.
    public nonisolated(unsafe) let token: UnsafeRawBufferPointer

    /// Makes an entry.
    public init(
        device: DeviceID,
        generation: Int32,
        startedAt: UInt32,
        registeredAt: UInt32,
        environment: PushEnvironment,
        variant: ActivityVariant = .own,
        wish: AlertWish = .all,
        token: UnsafeRawBufferPointer
    ) {
        self.device = device
        self.generation = generation
        self.startedAt = startedAt
        self.registeredAt = registeredAt
        self.environment = environment
        self.variant = variant
        self.wish = wish
        self.token = token
    }
}
