// The bodies of activities, read strictly.

import FollowService
import MatchEngine
import ScoreTypes

/// The body of `PUT /v1/devices/me/activities/{activityId}`.
struct ActivityBody {
    /// The activity, with the default content state.
    var registration: ActivityRegistration
    /// Swift type of the attributes in the app; nil for the configured one.
    let attributesType: String?
    /// Newest content state version that the app decodes, 1 to 1,000; nil for the one that its device registered.
    let schemaVersion: Int64?

    /// Reads the body, which has exactly one of `token` and `channelId`.
    init(reading body: JSONElement, device: DeviceID, activity: ActivityID) throws(ServiceProblem) {
        var fields = FieldReader(body)
        let token = fields.tokenIfPresent("token")
        let channel = fields.custom("channelId", "the id of a channel as Apple wrote it") { ChannelID($0) }
        if fields.has("token") == fields.has("channelId") {
            fields.complain("token", code: "missing", "expected either token or channelId")
        }
        let match = fields.identity("matchId", as: MatchID.self)
        let environment = fields.choice("apnsEnvironment", as: PushEnvironment.self)
        let started = fields.integer("startedAtMs", Self.startRange)
        let known = fields.integerIfPresent("lastAppliedRev", Self.revisionRange)
        let sequence = fields.integer("clientSeq", 0...Int64.max)
        let starter = fields.choiceIfPresent("startedBy", as: ActivityStarter.self)
        attributesType = fields.textIfPresent("attributesType", bytes: 1...128)
        schemaVersion = fields.integerIfPresent("schemaVersion", 1...1000)
        fields.ignore("frequentUpdatesEnabled")
        try fields.finish()
        guard let route = token.map({ ActivityRoute.token($0) }) ?? channel.map({ .channel($0) }) else {
            throw ServiceProblem(.validationFailed)
        }
        registration = ActivityRegistration(
            device: device,
            match: match,
            activityID: activity,
            environment: environment ?? .sandbox,
            route: route,
            knownRev: known ?? 0,
            startedAt: Instant(milliseconds: started),
            startedBy: starter ?? .app,
            clientSequence: sequence
        )
    }

    /// Milliseconds since 1970, to the end of the year 9999; later dates are mistakes.
    private static let startRange: ClosedRange<Int64> = 0...253_402_300_799_999
    /// Revisions have twelve digits, as in a position.
    fileprivate static let revisionRange: ClosedRange<Int64> = 0...999_999_999_999
}

/// The body of `POST /v1/devices/me/reconcile`.
struct ReconcileBody {
    /// The activities that ActivityKit lists, at most ``ServerLimits/activitiesPerBody``.
    let activities: [ReportedActivity]
    /// The device's count of its changes.
    let clientSequence: Int64

    init(reading body: JSONElement) throws(ServiceProblem) {
        var fields = FieldReader(body)
        activities = fields.list("activities", max: ServerLimits.activitiesPerBody) { inner in
            // A state that a later ActivityKit adds counts as running; the states that end an activity are known.
            let state = inner.textIfPresent("state", bytes: 1...64).flatMap { ReportedActivity.State(rawValue: $0) }
            return ReportedActivity(
                activityID: inner.identity("activityId", as: ActivityID.self),
                match: inner.identity("matchId", as: MatchID.self),
                state: state ?? .active,
                tokenFingerprint: inner.textIfPresent("tokenFingerprint", bytes: 12...12),
                shownRevision: inner.integerIfPresent("lastAppliedRev", ActivityBody.revisionRange)
            )
        }
        clientSequence = fields.integer("clientSeq", 0...Int64.max)
        fields.ignore("pushToStartFingerprint", "follows")
        try fields.finish()
    }
}

extension ActivityVariant {
    /// The content state of an app, by its attributes' type; every type but the portable one is the product's own.
    init(attributesType: String, version: ContentStateVersion) {
        if attributesType == SurfaceRenderer.attributesType {
            self = .portable
        } else {
            self = version == .standard ? .own : .ownNewest
        }
    }
}
