// The bodies of devices and tokens, read strictly, and a device as its owner reads it.

import FollowService
import MatchEngine
import ScoreTypes

extension NewDevice {
    /// Reads the body of `POST /v1/devices`.
    init(reading body: JSONElement, device: DeviceID, credentialHash: [UInt8]) throws(ServiceProblem) {
        var fields = FieldReader(body)
        let environment = fields.required("apnsEnvironment", .choice(PushEnvironment.self))
        let versions = fields.elements("contentSchemaVersions", max: 8, .integer(1...1000)) ?? [1]
        let abilities = fields.abilities()
        let platform = fields.text("platform", length: 1...32)
        let bundleID = fields.text("bundleId", length: 1...155)
        let profile = DeviceProfile(
            platform: platform,
            appBuild: fields.text("appBuild", length: 1...32),
            osVersion: fields.text("osVersion", length: 1...32),
            model: fields.optional("model", .text(1...64)),
            timeZone: fields.optional("timeZone", .text(1...64)),
            contentSchemaVersions: versions,
            stringsVersion: fields.optional("stringsVersion", .integer(0...1000))
        )
        self.init(
            device: device,
            environment: environment ?? .sandbox,
            bundleID: bundleID,
            abilities: DeviceAbilities([.activities, .alerts]).union(abilities.enabled).subtracting(abilities.disabled),
            schemaVersion: ContentStateVersion.number(chosenFrom: versions),
            profile: profile,
            credentialHash: credentialHash,
            quietHours: fields.quietHours("quietHours") ?? nil
        )
        // Members of the contract without an effect: notifications are localized by the app, App Attest is not checked.
        fields.ignore("locale", "attestation")
        try fields.finish()
    }
}

extension DevicePatch {
    /// Reads the body of `PATCH /v1/devices/me`.
    init(reading body: JSONElement) throws(ServiceProblem) {
        var fields = FieldReader(body)
        let profile = DeviceProfile(
            appBuild: fields.optional("appBuild", .text(1...32)),
            osVersion: fields.optional("osVersion", .text(1...32)),
            timeZone: fields.optional("timeZone", .text(1...64)),
            contentSchemaVersions: fields.elements("contentSchemaVersions", max: 8, .integer(1...1000)),
            stringsVersion: fields.optional("stringsVersion", .integer(0...1000))
        )
        let abilities = fields.abilities()
        self.init(
            enabled: abilities.enabled,
            disabled: abilities.disabled,
            profile: profile,
            quietHours: fields.quietHours("quietHours"),
            clientSequence: fields.optional("clientSeq", .integer(ServerLimits.clientSequences))
        )
        try fields.finish()
    }

    /// The patch for a stored device: its content state version is chosen anew.
    func choosingVersion(for device: DeviceRecord) -> DevicePatch {
        var patch = self
        patch.schemaVersion = ContentStateVersion.number(
            chosenFrom: profile.contentSchemaVersions ?? device.contentSchemaVersions
        )
        return patch
    }
}

extension ContentStateVersion {
    /// The number of the newest layout that the app and the server share.
    fileprivate static func number(chosenFrom offered: [Int64]) -> Int16 {
        Int16(clamping: chosen(from: offered.compactMap { Int(exactly: $0) }).rawValue)
    }
}

extension DeviceTokenRegistration {
    /// Reads the body of `PUT /v1/devices/me/push-tokens/{kind}`, with the bundle id that it may have.
    static func reading(
        _ body: JSONElement,
        device: DeviceID,
        kind: DeviceTokenKind,
        attributesType type: String
    ) throws(ServiceProblem) -> (DeviceTokenRegistration, bundleID: String?) {
        var fields = FieldReader(body)
        let token = fields.required("token", .token)
        let environment = fields.required("apnsEnvironment", .choice(PushEnvironment.self)) ?? .sandbox
        let attributesType = fields.optional("attributesType", .text(1...128)) ?? type
        let clientSequence = fields.clientSequence()
        let bundleID = fields.optional("bundleId", .text(1...155))
        fields.ignore("observedAtMs", "source")
        try fields.finish()
        let registration = DeviceTokenRegistration(
            device: device,
            kind: kind,
            token: token,
            environment: environment,
            // The version of a start is the one that the device has registered by then.
            variant: ActivityVariant(attributesType: attributesType, version: .standard),
            clientSequence: clientSequence
        )
        return (registration, bundleID)
    }
}

extension DeviceRecord {
    /// The strong tag of what the phone reported about itself; tokens and follows have counts of their own.
    var tag: String {
        Answer.tag(of: JSONWriter.document { write(into: &$0) })
    }

    /// The device as its owner reads it, one JSON object; `followCount` is the number of matches that it follows.
    func bytes(followCount: Int) -> [UInt8] {
        JSONWriter.document { json in
            json.field("deviceId", device.description)
            json.field("createdAt", createdAt.rfc3339)
            write(into: &json)
            json.object("pushTokens") { json in
                for kind in DeviceTokenKind.allCases {
                    guard let stored = token(kind), let fingerprint = stored.token.fingerprint else { continue }
                    json.key(dynamic: kind.rawValue)
                    json.object { json in
                        json.field("fingerprint", fingerprint.text)
                        json.field("generation", stored.generation)
                    }
                }
            }
            json.strings("movedTokens", movedTokens.map(\.rawValue))
            json.field("followCount", followCount)
        }
    }

    /// The versions that the app decodes; for a profile without them the one that was chosen.
    fileprivate var contentSchemaVersions: [Int64] { profile.contentSchemaVersions ?? [Int64(schemaVersion)] }

    private func write(into json: inout JSONWriter) {
        let profile = profile
        json.field("platform", profile.platform ?? "ios")
        json.field("bundleId", bundleID)
        json.field("appBuild", profile.appBuild ?? "")
        json.field("osVersion", profile.osVersion ?? "")
        json.field("model", ifPresent: profile.model)
        json.field("timeZone", ifPresent: profile.timeZone)
        json.field("apnsEnvironment", environment.rawValue)
        json.array("contentSchemaVersions", contentSchemaVersions)
        json.field("stringsVersion", profile.stringsVersion ?? 0)
        json.field("liveActivitiesEnabled", abilities.contains(.activities))
        json.field("frequentPushesEnabled", abilities.contains(.frequentPushes))
        json.field("alertsEnabled", abilities.contains(.alerts))
        json.field("channelsSupported", abilities.contains(.channels))
        guard let quietHours else { return }
        json.object("quietHours") { json in
            json.field("from", QuietHours.text(of: quietHours.from))
            json.field("until", QuietHours.text(of: quietHours.until))
        }
    }
}

extension PushToken {
    /// The token without its secret part.
    var fingerprint: Fingerprint? { Fingerprint(sha256: SecretDigest(of: bytes).bytes) }
}

extension FieldReader {
    /// Reads the four switches of a device: those that are on and those that are off.
    fileprivate mutating func abilities() -> (enabled: DeviceAbilities, disabled: DeviceAbilities) {
        var (enabled, disabled) = (DeviceAbilities(), DeviceAbilities())
        for (name, ability) in [
            ("liveActivitiesEnabled", DeviceAbilities.activities), ("frequentPushesEnabled", .frequentPushes),
            ("alertsEnabled", .alerts), ("channelsSupported", .channels),
        ] {
            switch optional(name, .flag) {
            case true?: enabled.insert(ability)
            case false?: disabled.insert(ability)
            case nil: break
            }
        }
        return (enabled, disabled)
    }

    /// Reads `{"from": "22:30", "until": "07:00"}`, or an empty object for no quiet hours; nil when absent.
    fileprivate mutating func quietHours(_ name: String) -> QuietHours?? {
        let times = nested(name) { inner in
            (from: inner.optional("from", .text(5...5)), until: inner.optional("until", .text(5...5)))
        }
        guard let times else { return nil }
        if times.from == nil, times.until == nil { return .some(nil) }
        guard let from = QuietHours.minute(of: times.from ?? ""), let until = QuietHours.minute(of: times.until ?? ""),
            let hours = QuietHours(from: from, until: until)
        else {
            complain(name, code: "format", "expected two different times of day, such as 22:30 and 07:00")
            return nil
        }
        return .some(hours)
    }
}

extension QuietHours {
    /// A minute of the day, 0 to 1,439, as `22:30`.
    fileprivate static func text(of minute: Int16) -> String {
        let (hours, minutes) = (minute / 60, minute % 60)
        return "\(hours < 10 ? "0" : "")\(hours):\(minutes < 10 ? "0" : "")\(minutes)"
    }

    /// The minute of the day of a text such as `22:30`; nil for another form.
    fileprivate static func minute(of text: String) -> Int16? {
        guard let time = text.wholeMatch(of: #/([01][0-9]|2[0-3]):([0-5][0-9])/#), let hours = Int16(time.1),
            let minutes = Int16(time.2)
        else { return nil }
        return hours * 60 + minutes
    }
}
