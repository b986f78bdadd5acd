// What the arena keeps of an activity that is reached by a token of its own.

public import ScoreTypes

/// One token in an arena; the token's bytes are valid only inside the body that the entry was handed to.
public struct ArenaEntry: Sendable {
    /// The device that shows the activity.
    public let device: DeviceID
    /// Grows with every registration of this activity; an answer to an older one means nothing.
    public let generation: Int32
    /// When the activity began, in whole seconds since 1970 (a phone ends it after eight hours).
    public let startedAt: UInt32
    /// When the token was registered, in seconds since 1970, rounded up: an older word of its death means nothing.
    public let registeredAt: UInt32
    /// Apple's world that the token belongs to.
    public let environment: PushEnvironment
    /// Which content state the app draws.
    public let variant: ActivityVariant
    /// What its person wants to be told of on the activity itself.
    public let wish: AlertWish
    // The arena reads it while its caller, who owns the memory, waits.
    /// The token, 1 to 256 bytes.
    public nonisolated(unsafe) let token: UnsafeRawBufferPointer

    /// Describes an entry to be put into an arena.
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
