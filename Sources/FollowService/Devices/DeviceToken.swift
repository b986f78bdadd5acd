// A device's tokens rotate at any time; the greatest client sequence wins, whatever the order of arrival.

public import ScoreTypes

/// A change of one of a device's tokens.
public struct DeviceTokenRegistration: Sendable, Hashable {
    /// The device.
    public let device: DeviceID
    /// The token's kind.
    public let kind: DeviceTokenKind
    /// The token; nil removes the stored one.
    public let token: PushToken?
    /// The APNs environment of the token.
    public let environment: PushEnvironment
    /// The content state that an activity decodes which is started through the token.
    public let variant: ActivityVariant
    /// The device's count of its changes.
    public let clientSequence: Int64

    /// Makes a change.
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

/// The result of a change of a token.
public enum DeviceTokenOutcome: Sendable, Hashable {
    /// Written.
    case stored(generation: Int32)
    /// The same call was written before.
    case unchanged(generation: Int32)
    /// A call with a greater client sequence is stored, or another call with the same one.
    case outdated(generation: Int32, clientSequence: Int64)
    /// The device is unknown or erased.
    case unknownDevice
}

extension DeviceTokenRegistration: BatchedCall {
    var key: DeviceKey { DeviceKey(device) }

    func outcome(
        supersededBy newer: DeviceTokenRegistration,
        with outcome: DeviceTokenOutcome
    ) -> DeviceTokenOutcome {
        switch outcome {
        case .stored(let generation), .unchanged(let generation):
            .outdated(generation: generation, clientSequence: newer.clientSequence)
        case .outdated, .unknownDevice: outcome
        }
    }
}
