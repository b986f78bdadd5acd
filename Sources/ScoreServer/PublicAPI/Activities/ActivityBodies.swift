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
    init(
        reading body: JSONElement,
        device: DeviceID,
        activity: ActivityID,
        at now: Instant
    ) throws(ServiceProblem) {
        var fields = FieldReader(body)
        let token = fields.optional("token", .token)
        let channel = fields.channel()
        if fields.has("token") == fields.has("channelId") {
            fields.complain("token", code: "missing", "expected either token or channelId")
        }
        let match = fields.identity("matchId", as: MatchID.self)
        let environment = fields.required("apnsEnvironment", .choice(PushEnvironment.self))
        let started = fields.integer("startedAtMs", Self.startRange)
        let sent = fields.optional("sentAtMs", .integer(Self.startRange))
        let known = fields.optional("lastAppliedRev", .integer(Self.revisionRange))
        let sequence = fields.clientSequence()
        let starter = fields.optional("startedBy", .choice(ActivityStarter.self))
        attributesType = fields.optional("attributesType", .text(1...128))
        schemaVersion = fields.optional("schemaVersion", .integer(1...1000))
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
            startedAt: sent.map { now - .milliseconds(max(0, $0 - started)) } ?? Instant(milliseconds: started),
            startedBy: starter ?? .app,
            clientSequence: sequence
        )
    }

    /// Milliseconds since 1970, to the end of the year 9999; later dates are mistakes.
    static let startRange: ClosedRange<Int64> = 0...253_402_300_799_999
    /// Revisions have twelve digits, as in a position.
    static let revisionRange: ClosedRange<Int64> = 0...999_999_999_999
}

extension FieldReader {
    /// The id of a broadcast channel; nil when absent.
    mutating func channel() -> ChannelID? {
        let form = FieldForm(expectation: "the id of a channel as Apple wrote it") {
            $0.string.flatMap { ChannelID($0) }
        }
        return optional("channelId", form)
    }

    /// Reads the activities that ActivityKit lists, at most ``ServerLimits/activitiesPerBody``.
    mutating func reportedActivities() -> [ReportedActivity] {
        list("activities", max: ServerLimits.activitiesPerBody) { inner in
            // A state that a later ActivityKit adds counts as running; the states that end an activity are known.
            let name = inner.optional("state", .text(1...64))
            let state = name.flatMap { ReportedActivity.State(rawValue: $0) }
            if name != nil && state == nil { ClientEventKind.unknownState.count() }
            return ReportedActivity(
                activityID: inner.identity("activityId", as: ActivityID.self),
                match: inner.identity("matchId", as: MatchID.self),
                state: state ?? .active,
                tokenFingerprint: inner.optional("tokenFingerprint", .text(12...12)),
                channel: inner.channel(),
                shownRevision: inner.optional("lastAppliedRev", .integer(ActivityBody.revisionRange))
            )
        }
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
