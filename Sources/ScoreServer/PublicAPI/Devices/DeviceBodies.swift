// The bodies of devices and tokens, read strictly.

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
            environment: environment ?? .sandbox,
            schemaVersions: versions ?? [1],
            abilities: abilities,
            quietHours: fields.quietTime("quietHours") ?? nil
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
            schemaVersions: fields.integersIfPresent("contentSchemaVersions", max: 8, 1...1000),
            activities: fields.flagIfPresent("liveActivitiesEnabled"),
            frequentPushes: fields.flagIfPresent("frequentPushesEnabled"),
            alerts: fields.flagIfPresent("alertsEnabled"),
            channels: fields.flagIfPresent("channelsSupported"),
            quietHours: fields.quietTime("quietHours")
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

extension DeviceProfile {
    /// The strong tag of what a phone said about itself; its tokens and follows have counts of their own.
    var tag: String {
        let told = JSONWriter.document { write(into: &$0) }
        return "\"\(Hex.string(SecretDigest(of: told).bytes.prefix(8)))\""
    }

    fileprivate func write(into json: inout JSONWriter) {
        json.field("platform", platform)
        json.field("bundleId", bundleID)
        json.field("appBuild", appBuild)
        json.field("osVersion", osVersion)
        json.field("model", ifPresent: model)
        json.field("locale", ifPresent: locale)
        json.field("timeZone", ifPresent: timeZone)
        json.field("apnsEnvironment", environment.rawValue)
        json.key("contentSchemaVersions")
        json.array { json in for version in schemaVersions { json.integer(version) } }
        json.field("liveActivitiesEnabled", abilities.activities)
        json.field("frequentPushesEnabled", abilities.frequentPushes)
        json.field("alertsEnabled", abilities.alerts)
        json.field("channelsSupported", abilities.channels)
        guard let quietHours else { return }
        json.key("quietHours")
        json.object { json in
            json.field("from", QuietTime.text(quietHours.from))
            json.field("until", QuietTime.text(quietHours.until))
        }
    }
}

extension DeviceView {
    /// The profile as its owner sees it.
    var bytes: [UInt8] {
        JSONWriter.document { json in
            json.field("deviceId", id.description)
            json.field("createdAt", createdAt.rfc3339)
            profile.write(into: &json)
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

extension FieldReader {
    /// Reads `{"from": "22:30", "until": "07:00"}`, or an empty object for no quiet hours; nil when absent.
    fileprivate mutating func quietTime(_ name: String) -> QuietTime?? {
        let times = nested(name) { inner in
            (from: inner.textIfPresent("from", bytes: 5...5), until: inner.textIfPresent("until", bytes: 5...5))
        }
        guard let times else { return nil }
        if times.from == nil, times.until == nil { return .some(nil) }
        guard let quiet = QuietTime(from: times.from ?? "", until: times.until ?? "") else {
            complain(name, code: "format", "expected two different times of day, such as 22:30 and 07:00")
            return nil
        }
        return .some(quiet)
    }
}
