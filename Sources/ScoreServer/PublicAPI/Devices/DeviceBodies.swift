// The bodies of devices and tokens, read strictly.

import MatchEngine
import ScoreTypes

extension DeviceProfile {
    /// Reads the body of `POST /v1/devices`.
    init(reading body: JSONValue) throws(ServiceProblem) {
        var fields = FieldReader(body)
        let environment = fields.choice("apnsEnvironment", as: PushEnvironment.self)
        let versions = fields.integersIfPresent("contentSchemaVersions", max: 8, 1...1000)
        var abilities = DeviceAbilities()
        abilities.activities = fields.flagIfPresent("liveActivitiesEnabled") ?? abilities.activities
        abilities.frequentPushes = fields.flagIfPresent("frequentPushesEnabled") ?? abilities.frequentPushes
        abilities.alerts = fields.flagIfPresent("alertsEnabled") ?? abilities.alerts
        abilities.channels = fields.flagIfPresent("channelsSupported") ?? abilities.channels
        self.init(
            platform: fields.text("platform", bytes: 1...32),
            bundleID: fields.text("bundleId", bytes: 1...155),
            appBuild: fields.text("appBuild", bytes: 1...32),
            osVersion: fields.text("osVersion", bytes: 1...32),
            model: fields.textIfPresent("model", bytes: 1...64),
            locale: fields.textIfPresent("locale", bytes: 1...35),
            timeZone: fields.textIfPresent("timeZone", bytes: 1...64),
            quietHours: fields.nested("quietHours") { QuietHours(reading: &$0) },
            environment: environment ?? .sandbox,
            schemaVersions: versions ?? [1],
            abilities: abilities
        )
        try fields.finish()
    }
}

extension DevicePatch {
    /// Reads the body of `PATCH /v1/devices/me`.
    init(reading body: JSONValue) throws(ServiceProblem) {
        var fields = FieldReader(body)
        self.init(
            appBuild: fields.textIfPresent("appBuild", bytes: 1...32),
            osVersion: fields.textIfPresent("osVersion", bytes: 1...32),
            locale: fields.textIfPresent("locale", bytes: 1...35),
            timeZone: fields.textIfPresent("timeZone", bytes: 1...64),
            quietHours: fields.nested("quietHours") { QuietHours(reading: &$0) },
            schemaVersions: fields.integersIfPresent("contentSchemaVersions", max: 8, 1...1000),
            activities: fields.flagIfPresent("liveActivitiesEnabled"),
            frequentPushes: fields.flagIfPresent("frequentPushesEnabled"),
            alerts: fields.flagIfPresent("alertsEnabled"),
            channels: fields.flagIfPresent("channelsSupported")
        )
        try fields.finish()
    }
}

extension DeviceTokenWish {
    /// Reads the body of `PUT /v1/devices/me/push-tokens/{kind}`.
    init(reading body: JSONValue, kind: DeviceTokenKind) throws(ServiceProblem) {
        var fields = FieldReader(body)
        let token = fields.tokenIfPresent("token")
        if !fields.has("token") { fields.complain("token", code: "missing", "expected hexadecimal digits") }
        self.init(
            kind: kind,
            token: token,
            environment: fields.choice("apnsEnvironment", as: PushEnvironment.self),
            attributesType: fields.textIfPresent("attributesType", bytes: 1...128),
            clientSequence: fields.integer("clientSeq", 0...Int64.max)
        )
        fields.ignore("bundleId", "observedAtMs", "source")
        try fields.finish()
    }
}

extension DeviceView {
    /// The profile as its owner sees it.
    var bytes: [UInt8] {
        JSONWriter.document { json in
            json.field("deviceId", id.description)
            json.field("createdAt", createdAt.rfc3339)
            json.field("platform", profile.platform)
            json.field("bundleId", profile.bundleID)
            json.field("appBuild", profile.appBuild)
            json.field("osVersion", profile.osVersion)
            json.field("model", ifPresent: profile.model)
            json.field("locale", ifPresent: profile.locale)
            json.field("timeZone", ifPresent: profile.timeZone)
            if let quiet = profile.quietHours {
                json.key("quietHours")
                json.object { json in
                    json.field("start", quiet.start)
                    json.field("end", quiet.end)
                }
            }
            json.field("apnsEnvironment", profile.environment.rawValue)
            json.key("contentSchemaVersions")
            json.array { json in for version in profile.schemaVersions { json.integer(version) } }
            json.field("liveActivitiesEnabled", profile.abilities.activities)
            json.field("frequentPushesEnabled", profile.abilities.frequentPushes)
            json.field("alertsEnabled", profile.abilities.alerts)
            json.field("channelsSupported", profile.abilities.channels)
            json.key("pushTokens")
            json.object { json in
                for kind in DeviceTokenKind.allCases {
                    guard let token = tokens[kind] else { continue }
                    json.key(dynamic: kind.rawValue)
                    json.object { json in
                        json.field("fingerprint", token.fingerprint.text)
                        json.field("generation", token.generation)
                    }
                }
            }
            json.field("followCount", followCount)
        }
    }
}

extension QuietHours {
    /// Reads minutes of the local day; the same minute twice means never.
    fileprivate init(reading fields: inout FieldReader) {
        self.init(start: Int(fields.integer("start", 0...1439)), end: Int(fields.integer("end", 0...1439)))
    }
}
