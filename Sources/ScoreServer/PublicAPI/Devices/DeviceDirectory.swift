// What the public API needs of the room that keeps devices; the composition joins the two.

import ScoreTypes

/// What a phone says about itself.
struct DeviceProfile: Sendable, Hashable {
    var platform: String
    var bundleID: String
    var appBuild: String
    var osVersion: String
    var model: String?
    var locale: String?
    var timeZone: String?
    var environment: PushEnvironment
    /// Versions of the content state that the app can draw, newest known to both is used.
    var schemaVersions: [Int64]
    var abilities: DeviceAbilities
    /// When the person wants no notifications; nil for never.
    var quietHours: QuietTime?
}

/// Part of each day, in minutes after midnight by the phone's clock.
struct QuietTime: Sendable, Hashable {
    let from: Int16
    let until: Int16

    /// Reads two times of day such as `22:30`; nil for anything else, or when they are equal.
    init?(from: String, until: String) {
        guard let first = Self.minute(from), let last = Self.minute(until), first != last else { return nil }
        self.init(from: first, until: last)
    }

    /// Minutes that are known to be right.
    init(from: Int16, until: Int16) {
        self.from = from
        self.until = until
    }

    /// A minute of the day as people write it.
    static func text(_ minute: Int16) -> String {
        let (hours, minutes) = (minute / 60, minute % 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    private static func minute(_ text: String) -> Int16? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2,
            parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { (48...57).contains($0) } }),
            let hours = Int16(parts[0]), let minutes = Int16(parts[1]), hours < 24, minutes < 60
        else { return nil }
        return hours * 60 + minutes
    }
}

/// What the person and the system allow on a phone.
struct DeviceAbilities: Sendable, Hashable {
    var activities = true
    var frequentPushes = false
    var alerts = true
    /// Broadcast channels, from iOS 18 on.
    var channels = false
}

/// A phone that registers.
struct NewDevice: Sendable {
    let id: DeviceID
    /// SHA-256 of its secret.
    let credentialHash: [UInt8]
    let profile: DeviceProfile
    let createdAt: Instant
}

/// Changes of a profile; nil leaves a field as it is.
struct DevicePatch: Sendable, Hashable {
    var appBuild: String?
    var osVersion: String?
    var locale: String?
    var timeZone: String?
    var schemaVersions: [Int64]?
    var activities: Bool?
    var frequentPushes: Bool?
    var alerts: Bool?
    var channels: Bool?
    /// New quiet hours, or none from now on.
    var quietHours: QuietTime??
}

/// The two tokens that belong to the app as a whole.
enum DeviceTokenKind: String, Sendable, Hashable, CaseIterable { case alert, pushToStart }

/// A token as it may be shown.
struct DeviceTokenView: Sendable, Hashable {
    let fingerprint: Fingerprint
    let generation: Int64
}

/// A device as its owner sees it.
struct DeviceView: Sendable {
    let id: DeviceID
    let profile: DeviceProfile
    let createdAt: Instant
    let tokens: [DeviceTokenKind: DeviceTokenView]
    let followCount: Int
}

/// What a phone says of one of its tokens.
struct DeviceTokenWish: Sendable, Hashable {
    let kind: DeviceTokenKind
    /// nil: there is none any more.
    let token: PushToken?
    /// nil: the device's own.
    let environment: PushEnvironment?
    /// Swift type of the attributes that a start by push has to carry; nil for the configured one.
    let attributesType: String?
    let clientSequence: Int64
}

/// What became of a token that was sent.
enum TokenOutcome: Sendable {
    case stored(generation: Int64, isNew: Bool)
    /// A request with a greater sequence number came first.
    case stale(clientSequence: Int64)
}

/// Keeps devices.
protocol DeviceDirectory: Sendable {
    func register(_ device: NewDevice) async throws
    /// SHA-256 of the secret; nil for an unknown or erased device.
    func credentialHash(of device: DeviceID) async throws -> [UInt8]?
    func find(_ device: DeviceID) async throws -> DeviceView?
    /// Changes a profile; nil for an unknown or erased device.
    ///
    /// - Throws: `precondition-failed` when the stored profile is none that the condition names.
    func patch(_ device: DeviceID, _ patch: DevicePatch, if condition: IfMatch) async throws -> DeviceView?
    /// Removes the device with its follows, activities and tokens.
    func erase(_ device: DeviceID) async throws
    /// Stores a token, or that there is none any more.
    func setToken(_ wish: DeviceTokenWish, of device: DeviceID) async throws -> TokenOutcome
}
