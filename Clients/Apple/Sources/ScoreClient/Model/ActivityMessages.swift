// The bodies of routes about activities, and the answers to them.

internal import LiveSurface

/// The body of `PUT /v1/devices/me/activities/{activityId}`.
struct ActivityReportBody: Encodable {
    var matchId: String
    var token: String?
    var channelId: String?
    var apnsEnvironment: String
    var startedAtMs: Int64
    /// The phone's clock at this request; the server takes the difference, so that a wrong clock does no harm.
    var sentAtMs: Int64
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
    /// `aps.timestamp` of the state's publication, seconds since 1970; an older server does not name it.
    var timestamp: Int64?
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
        var timestamp: Int64?
        var contentState: LiveActivityAttributes.ContentState?
    }

    var end: [String]?
    var unknownTokens: [String]?
    var missing: [String]?
    /// The kinds of tokens that another device has registered meanwhile.
    var movedTokens: [String]?
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

/// Occurrences that the client counts for the server.
enum CountedEvent: String, Codable, Sendable, Hashable, CodingKeyRepresentable {
    /// A new push token in the place of another one.
    case tokenRotated
    /// Content that this version cannot decode.
    case undecodable
}

/// How often something happened since the last batch that the server took.
struct EventCount: Codable, Sendable, Hashable {
    var count: Int64
    /// The last time, in milliseconds since 1970.
    var atMs: Int64
}

/// A batch that waits for its answer.
struct TelemetryBatch: Sendable, Hashable {
    var receipts: [ActivityReceipt]
    var counts: [CountedEvent: EventCount]
}

/// The body of `POST /v1/devices/me/telemetry`.
struct TelemetryReport: Encodable {
    /// One element: a receipt, or a count with its kind.
    struct Event: Encodable {
        var kind: String
        var activityId: String?
        var rev: Int64?
        var count: Int64?
        var atMs: Int64
    }

    /// The phone's time of sending: the server derives the age of each event from it, whatever the clock says.
    var sentAtMs: Int64
    var events: [Event]

    init(_ batch: TelemetryBatch, sentAt: Int64) {
        sentAtMs = sentAt
        events =
            batch.receipts.map { Event(kind: $0.kind, activityId: $0.activityId, rev: $0.rev, atMs: $0.atMs) }
            + batch.counts.sorted { $0.key.rawValue < $1.key.rawValue }.map { kind, count in
                Event(kind: kind.rawValue, count: count.count, atMs: count.atMs)
            }
    }
}

/// The answer to a registration or a rotation.
struct CredentialAnswer: Decodable, Sendable {
    var credential: String
}
