// The bodies of routes about activities, and the answers to them.

internal import LiveSurface

/// The body of `PUT /v1/devices/me/activities/{activityId}`.
struct ActivityReportBody: Encodable {
    var matchId: String
    var token: String?
    var channelId: String?
    var apnsEnvironment: String
    var startedAtMs: Int64
    var startedBy: String
    var lastAppliedRev: Int64
    var attributesType: String
    var clientSeq: Int64
}

/// The newest state of an activity's match.
struct ActivityAnswer: Decodable, Sendable {
    var currentRev: Int64?
    /// Seconds since 1970.
    var staleDate: Int64?
    var contentState: LiveActivityAttributes.ContentState?
}

/// The body of `POST /v1/devices/me/reconcile`.
struct ReconcileReport: Encodable {
    struct Running: Encodable, Sendable, Hashable {
        var activityId: String
        var matchId: String
        var state: String
        var lastAppliedRev: Int64
        var tokenFingerprint: String?
        var channelId: String?
    }

    var activities: [Running]
    var clientSeq: Int64
}

/// The answer to a reconcile report; every member may be absent.
struct ReconcileAnswer: Decodable, Sendable {
    struct Update: Decodable, Sendable {
        var activityId: String
        var staleDate: Int64?
        var contentState: LiveActivityAttributes.ContentState?
    }

    var end: [String]?
    var unknownTokens: [String]?
    var missing: [String]?
    var updates: [Update]?
    /// The follows with their channels.
    var follows: [FollowItem]?
}

/// The body of `PUT /v1/devices/me/push-tokens/{kind}`.
struct TokenBody: Encodable {
    var token: String
    var apnsEnvironment: String
    var attributesType: String?
    var clientSeq: Int64
}

/// The revision that an activity shows.
struct ActivityReceipt: Codable, Sendable, Hashable {
    /// The kind of the telemetry event.
    var kind = "revApplied"
    var activityId: String
    var rev: Int64
    var atMs: Int64
}

/// The body of `POST /v1/devices/me/telemetry`.
struct ReceiptsBody: Encodable {
    var events: [ActivityReceipt]
}

/// The answer to a registration or a rotation.
struct CredentialAnswer: Decodable, Sendable {
    var credential: String
}
