// The bodies of activities, read strictly.

import ScoreTypes

extension ActivityReport {
    /// Reads the body of `PUT /v1/devices/me/activities/{activityId}`: exactly one of `token` and `channelId`.
    init(reading body: JSONValue, device: DeviceID, activity: ActivityID) throws(ServiceProblem) {
        var fields = FieldReader(body)
        let token = fields.tokenIfPresent("token")
        let channel = fields.custom("channelId", "the id of a channel as Apple wrote it") { ChannelID($0) }
        if fields.has("token") == fields.has("channelId") {
            fields.complain("token", code: "missing", "expected either token or channelId")
        }
        let match = fields.identity("matchId", as: MatchID.self)
        let environment = fields.choice("apnsEnvironment", as: PushEnvironment.self)
        let started = fields.integer("startedAtMs", 0...Self.instantMax)
        let known = fields.integerIfPresent("lastAppliedRev", 0...Self.revisionMax)
        let sequence = fields.integer("clientSeq", 0...Int64.max)
        let starter = fields.choiceIfPresent("startedBy", as: ActivityStarter.self)
        let type = fields.textIfPresent("attributesType", bytes: 1...128)
        let version = fields.integerIfPresent("schemaVersion", 1...1000)
        fields.ignore("frequentUpdatesEnabled")
        try fields.finish()
        guard let route = token.map({ ActivityRoute.token($0) }) ?? channel.map({ .channel($0) }) else {
            throw ServiceProblem(.validationFailed)
        }
        self.init(
            device: device,
            activity: activity,
            match: match,
            environment: environment ?? .sandbox,
            route: route,
            startedAt: Instant(milliseconds: started),
            startedBy: starter ?? .app,
            attributesType: type,
            schemaVersion: version,
            knownRevision: known ?? 0,
            clientSequence: sequence
        )
    }

    /// The end of the year 9999 in milliseconds: later dates are mistakes.
    fileprivate static let instantMax: Int64 = 253_402_300_799_999
    /// Twelve digits, as a position has.
    fileprivate static let revisionMax: Int64 = 999_999_999_999
}

extension ReconcileReport {
    /// Reads the body of `POST /v1/devices/me/reconcile`.
    init(reading body: JSONValue, device: DeviceID) throws(ServiceProblem) {
        var fields = FieldReader(body)
        if !fields.has("activities") { fields.complain("activities", code: "missing", "expected a list") }
        let listed = fields.listIfPresent("activities", max: ActivityRoutes.listedMax) { inner in
            // A state that a later ActivityKit has counts as running: what runs no longer has names that we know.
            let state = inner.textIfPresent("state", bytes: 1...64).flatMap { ListedState(rawValue: $0) }
            return Listed(
                activity: inner.identity("activityId", as: ActivityID.self),
                state: state ?? .active,
                match: inner.identity("matchId", as: MatchID.self),
                lastAppliedRevision: inner.integerIfPresent("lastAppliedRev", 0...ActivityReport.revisionMax),
                tokenFingerprint: inner.textIfPresent("tokenFingerprint", bytes: 12...12)
            )
        }
        let sequence = fields.integer("clientSeq", 0...Int64.max)
        fields.ignore("pushToStartFingerprint", "follows")
        try fields.finish()
        self.init(device: device, listed: listed ?? [], clientSequence: sequence)
    }
}
