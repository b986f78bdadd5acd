// What the store knows of one phone.

public import ScoreTypes

/// What a device and its person allow.
public struct DeviceAbilities: OptionSet, Sendable, Hashable {
    /// The bits as stored.
    public let rawValue: Int16

    /// Wraps stored bits.
    public init(rawValue: Int16) { self.rawValue = rawValue }

    /// Live Activities are allowed.
    public static let activities = DeviceAbilities(rawValue: 1)
    /// Frequent pushes to Live Activities are allowed.
    public static let frequentPushes = DeviceAbilities(rawValue: 2)
    /// Alert notifications are allowed.
    public static let alerts = DeviceAbilities(rawValue: 4)
    /// Activities can live on a broadcast channel (iOS 18).
    public static let channels = DeviceAbilities(rawValue: 8)
}

/// The tokens that belong to a device, not to an activity.
public enum DeviceTokenKind: String, Sendable, Hashable, CaseIterable {
    /// For ordinary notifications.
    case alert
    /// For starting a Live Activity by push.
    case pushToStart
}

/// A device's token as stored.
public struct StoredDeviceToken: Sendable, Hashable {
    /// The token.
    public let token: PushToken
    /// Grows with every change.
    public let generation: Int32
    /// When it was registered.
    public let at: Instant
}

/// A device as it registers.
public struct NewDevice: Sendable, Hashable {
    /// The id that the server drew for it.
    public let device: DeviceID
    /// Apple's world that its app was signed for.
    public let environment: PushEnvironment
    /// The app.
    public let bundleID: String
    /// What is allowed.
    public let abilities: DeviceAbilities
    /// The newest version of the content state that it decodes.
    public let schemaVersion: Int16
    /// Model, system, locale and the like: one JSON object, kept as it came.
    public let profile: [UInt8]
    /// SHA-256 of the secret half of its credential.
    public let credentialHash: [UInt8]
    /// When the person wants no notifications; nil for never.
    public let quietHours: QuietHours?

    /// Describes a device.
    public init(
        device: DeviceID,
        environment: PushEnvironment,
        bundleID: String,
        abilities: DeviceAbilities,
        schemaVersion: Int16 = 1,
        profile: [UInt8] = Array("{}".utf8),
        credentialHash: [UInt8],
        quietHours: QuietHours? = nil
    ) {
        self.device = device
        self.environment = environment
        self.bundleID = bundleID
        self.abilities = abilities
        self.schemaVersion = schemaVersion
        self.profile = profile
        self.credentialHash = credentialHash
        self.quietHours = quietHours
    }
}

/// What of a device changes; nil stays.
public struct DevicePatch: Sendable, Hashable {
    /// What is allowed.
    public var abilities: DeviceAbilities?
    /// The newest version of the content state that it decodes.
    public var schemaVersion: Int16?
    /// One JSON object, whose members replace those of the same name.
    public var profile: [UInt8]?
    /// New quiet hours, or none from now on.
    public var quietHours: QuietHours??

    /// Describes a change.
    public init(
        abilities: DeviceAbilities? = nil,
        schemaVersion: Int16? = nil,
        profile: [UInt8]? = nil,
        quietHours: QuietHours?? = nil
    ) {
        self.abilities = abilities
        self.schemaVersion = schemaVersion
        self.profile = profile
        self.quietHours = quietHours
    }
}

/// What became of a change.
public enum DevicePatchOutcome: Sendable, Hashable {
    /// The device as it is now.
    case changed(DeviceRecord)
    /// The device as it stays.
    case declined(DeviceRecord)
    /// It never registered, or has been erased.
    case unknownDevice
}

/// A registered device.
public struct DeviceRecord: Sendable, Hashable {
    /// Its id.
    public let device: DeviceID
    /// When it registered.
    public let createdAt: Instant
    /// When it last told something of itself.
    public let seenAt: Instant
    /// Apple's world that its tokens belong to.
    public let environment: PushEnvironment
    /// The app.
    public let bundleID: String
    /// What is allowed.
    public let abilities: DeviceAbilities
    /// The newest version of the content state that it decodes.
    public let schemaVersion: Int16
    /// One JSON object.
    public let profile: [UInt8]
    /// SHA-256 of the secret half of its credential.
    public let credentialHash: [UInt8]
    /// The token for notifications.
    public let alertToken: StoredDeviceToken?
    /// The token for starting activities.
    public let startToken: StoredDeviceToken?
    /// What an activity decodes that the app starts, as it told with that token.
    public let startVariant: ActivityVariant
    /// When the person wants no notifications; nil for never.
    public let quietHours: QuietHours?
}
