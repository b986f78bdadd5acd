// A stored device, and the values that create and change it.

public import ScoreTypes

/// The permissions on a device, by the system and the person.
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
    /// Activities can subscribe to a broadcast channel (iOS 18).
    public static let channels = DeviceAbilities(rawValue: 8)

    /// The abilities of a device whose activities are on broadcast channels.
    ///
    /// A broadcast has one priority for all its phones. A device that does not allow frequent pushes stays on a token,
    /// where it gets priority 10 once in five minutes.
    public static let onChannels: DeviceAbilities = [.activities, .frequentPushes, .channels]
}

/// A token that belongs to a device and not to an activity, by its name in the API.
public enum DeviceTokenKind: String, Sendable, Hashable, CaseIterable {
    /// For ordinary notifications.
    case alert
    /// For starting a Live Activity by push.
    case pushToStart
    /// For reloading the widgets (iOS 26); a device has one while a widget of the app is on its screens.
    case widget

    /// Its bit in `device.moved_tokens`.
    var bit: Int16 {
        switch self {
        case .alert: 1
        case .pushToStart: 2
        case .widget: 4
        }
    }
}

/// A device's token as stored.
public struct StoredDeviceToken: Sendable, Hashable {
    /// The token.
    public let token: PushToken
    /// Starts at 1 and grows with every change.
    public let generation: Int32
    /// Time of the registration.
    public let at: Instant
}

/// A device as it registers.
public struct NewDevice: Sendable, Hashable {
    /// The id that the server drew for it.
    public let device: DeviceID
    /// The APNs environment that its app was signed for.
    public let environment: PushEnvironment
    /// The app's bundle id.
    public let bundleID: String
    /// The device's permissions.
    public let abilities: DeviceAbilities
    /// The newest content state version that the device and the server share.
    public let schemaVersion: Int16
    /// The phone's report about itself.
    public let profile: DeviceProfile
    /// SHA-256 of the secret half of its credential, 32 bytes.
    public let credentialHash: [UInt8]
    /// Hours without notifications; nil for none.
    public let quietHours: QuietHours?

    /// Makes a device.
    public init(
        device: DeviceID,
        environment: PushEnvironment,
        bundleID: String,
        abilities: DeviceAbilities,
        schemaVersion: Int16 = 1,
        profile: DeviceProfile = DeviceProfile(),
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

/// A change of a device; nil and empty fields leave the stored value.
public struct DevicePatch: Sendable, Hashable {
    /// Abilities that are on from now on.
    public var enabled: DeviceAbilities
    /// Abilities that are off from now on.
    public var disabled: DeviceAbilities
    /// The newest content state version that the device and the server share.
    public var schemaVersion: Int16?
    /// The members of the profile that change.
    public var profile: DeviceProfile
    /// New quiet hours; `.some(nil)` removes them.
    public var quietHours: QuietHours??
    /// The device's count of its changes; nil for a change that applies in any order.
    public var clientSequence: Int64?

    /// Makes a change.
    public init(
        enabled: DeviceAbilities = [],
        disabled: DeviceAbilities = [],
        schemaVersion: Int16? = nil,
        profile: DeviceProfile = DeviceProfile(),
        quietHours: QuietHours?? = nil,
        clientSequence: Int64? = nil
    ) {
        self.enabled = enabled
        self.disabled = disabled
        self.schemaVersion = schemaVersion
        self.profile = profile
        self.quietHours = quietHours
        self.clientSequence = clientSequence
    }

    /// The abilities of a device after the change.
    func abilities(of device: DeviceRecord) -> DeviceAbilities {
        device.abilities.union(enabled).subtracting(disabled)
    }

    /// Whether a newer change is stored, or another one with the same client sequence.
    func isOutdated(on device: DeviceRecord) -> Bool {
        guard let clientSequence, clientSequence <= device.profileSequence else { return false }
        return clientSequence < device.profileSequence || !isApplied(to: device)
    }

    /// Whether the device has everything that the change sets.
    private func isApplied(to device: DeviceRecord) -> Bool {
        abilities(of: device) == device.abilities && (schemaVersion ?? device.schemaVersion) == device.schemaVersion
            && device.profile.merging(profile) == device.profile
            && (quietHours ?? device.quietHours) == device.quietHours
    }

    /// Whether the change affects alerts of the device's activities.
    ///
    /// A repeated change may: the node that stored it first may have failed before its second check.
    func changesAlerts(of device: DeviceRecord) -> Bool {
        if let clientSequence, clientSequence == device.profileSequence {
            return !enabled.isEmpty || !disabled.isEmpty || quietHours != nil
        }
        return abilities(of: device) != device.abilities || quietHours.map { $0 != device.quietHours } ?? false
    }
}

/// The result of a change.
public enum DevicePatchOutcome: Sendable, Hashable {
    /// The device after the change.
    case changed(DeviceRecord)
    /// The caller declined the change; the stored device.
    case declined(DeviceRecord)
    /// A change with a greater client sequence is stored, or another one with the same; the stored device.
    case outdated(DeviceRecord)
    /// The device is unknown or erased.
    case unknownDevice
}

/// A registered device.
public struct DeviceRecord: Sendable, Hashable {
    /// Its id.
    public let device: DeviceID
    /// Time of its registration.
    public let createdAt: Instant
    /// The APNs environment of its tokens.
    public let environment: PushEnvironment
    /// The app's bundle id.
    public let bundleID: String
    /// The device's permissions.
    public let abilities: DeviceAbilities
    /// The newest content state version that the device and the server share.
    public let schemaVersion: Int16
    /// The stored profile, one JSON object; decoded on demand, since few callers read it.
    let profileJSON: [UInt8]
    /// The token for notifications.
    public let alertToken: StoredDeviceToken?
    /// The token for starting activities.
    public let startToken: StoredDeviceToken?
    /// The token for reloading widgets.
    public let widgetToken: StoredDeviceToken?
    /// The content state that an activity decodes which is started through the token for starts.
    public let startVariant: ActivityVariant
    /// Hours without notifications; nil for none.
    public let quietHours: QuietHours?
    /// The client sequence of the newest change of the profile; 0 for none.
    public let profileSequence: Int64
    /// The kinds of tokens that another device has taken over, a block has removed or APNs has rejected, and that this
    /// one has not registered since.
    public let movedTokens: [DeviceTokenKind]

    /// The phone's report about itself.
    public var profile: DeviceProfile { DeviceProfile(json: profileJSON) }

    /// The stored token of a kind; nil when there is none.
    public func token(_ kind: DeviceTokenKind) -> StoredDeviceToken? {
        switch kind {
        case .alert: alertToken
        case .pushToStart: startToken
        case .widget: widgetToken
        }
    }
}
