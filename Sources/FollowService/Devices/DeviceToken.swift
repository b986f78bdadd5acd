// A device's tokens rotate at any time; the newest word of the device holds, whatever the order of arrival.

public import ScoreTypes

/// What a device tells of one of its tokens.
public struct DeviceTokenWish: Sendable, Hashable {
    /// The device.
    public let device: DeviceID
    /// Which token.
    public let kind: DeviceTokenKind
    /// The token; nil: there is none any more.
    public let token: PushToken?
    /// Apple's world that the token belongs to.
    public let environment: PushEnvironment
    /// What activities that are started through the token decode.
    public let variant: ActivityVariant
    /// The device's own count of its wishes.
    public let clientSequence: Int64

    /// Describes a token.
    public init(
        device: DeviceID,
        kind: DeviceTokenKind,
        token: PushToken?,
        environment: PushEnvironment,
        variant: ActivityVariant = .own,
        clientSequence: Int64
    ) {
        self.device = device
        self.kind = kind
        self.token = token
        self.environment = environment
        self.variant = variant
        self.clientSequence = clientSequence
    }
}

/// What became of a device's token.
public enum DeviceTokenOutcome: Sendable, Hashable {
    /// It was written.
    case stored(generation: Int32)
    /// The same call had been written before.
    case unchanged(generation: Int32)
    /// A newer wish of the device is stored.
    case outdated(generation: Int32, clientSequence: Int64)
    /// There is no such device.
    case unknownDevice
}

/// A device's token that APNs refused for good.
public struct DeviceTokenEviction: Sendable, Hashable {
    /// The device.
    public let device: DeviceID
    /// The generation that the refused push was sent to.
    public let generation: Int32
    /// When the token was known dead; a later registration stays.
    public let deadAt: Instant?

    /// Describes a refused token.
    public init(device: DeviceID, generation: Int32, deadAt: Instant?) {
        self.device = device
        self.generation = generation
        self.deadAt = deadAt
    }
}

extension DeviceTokenWish: LaneCall {
    var key: DeviceKey { DeviceKey(device) }

    func outcome(supersededBy newer: DeviceTokenWish, with outcome: DeviceTokenOutcome) -> DeviceTokenOutcome {
        switch outcome {
        case .stored(let generation), .unchanged(let generation):
            .outdated(generation: generation, clientSequence: newer.clientSequence)
        case .outdated, .unknownDevice: outcome
        }
    }
}
