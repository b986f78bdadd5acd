// Starts, ends and notifications address one token of one device.

/// The recipient of a start, an end, a notification or a background push.
public struct PushRecipient: Sendable, Hashable {
    /// The device.
    public let device: DeviceID
    /// The generation of the token.
    public let generation: Int32
    /// APNs environment of the token.
    public let environment: PushEnvironment
    /// The device's token for this kind of push.
    public let token: PushToken

    /// Makes the value from its fields.
    public init(device: DeviceID, generation: Int32, environment: PushEnvironment, token: PushToken) {
        self.device = device
        self.generation = generation
        self.environment = environment
        self.token = token
    }
}
