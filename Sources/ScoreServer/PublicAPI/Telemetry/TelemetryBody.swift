// The body of telemetry, read strictly but for the kinds of events that a later app may add.

import FollowService
import ScoreTypes

/// The body of `POST /v1/devices/me/telemetry`; it contains no free text.
struct TelemetryBody {
    /// A report of what an activity shows.
    struct Shown {
        let activity: ActivityID
        let revision: Int64
        /// Time between the observation and the report; zero when the phone's clock went back.
        let age: Duration
    }

    /// Occurrences that an app counts.
    struct Occurrence {
        let kind: ClientEventKind
        let count: Int64
        /// The phone's clock at the last of them.
        let at: Int64
    }

    private(set) var shown: [Shown] = []
    private(set) var occurrences: [Occurrence] = []

    private enum Kind: String, CaseIterable { case revApplied, tokenRotated, undecodable }

    /// Reads the body.
    init(reading body: JSONElement) throws(ServiceProblem) {
        var fields = FieldReader(body)
        let sentAt = fields.integer("sentAtMs", ActivityBody.startRange)
        let items = fields.list("events", max: ServerLimits.telemetryEvents) { event -> Item? in
            let name = event.required("kind", .text(1...64)) ?? ""
            switch Kind(rawValue: name) {
            case .revApplied: return .shown(Self.shown(&event, sentAt: sentAt))
            case .tokenRotated: return .counted(Self.occurrence(.tokenRotated, &event))
            case .undecodable: return .counted(Self.occurrence(.undecodable, &event))
            case nil:
                // A later app: the events that are known here still count.
                event.ignoreAll()
                return name.isEmpty ? nil : .counted(Occurrence(kind: .other, count: 1, at: sentAt))
            }
        }
        try fields.finish()
        for item in items {
            switch item {
            case .shown(let report): shown.append(report)
            case .counted(let occurrence): occurrences.append(occurrence)
            case nil: break
            }
        }
    }

    private enum Item {
        case shown(Shown)
        case counted(Occurrence)
    }

    private static func shown(_ event: inout FieldReader, sentAt: Int64) -> Shown {
        let activity = event.identity("activityId", as: ActivityID.self)
        let revision = event.integer("rev", ActivityBody.revisionRange)
        let at = event.integer("atMs", ActivityBody.startRange)
        return Shown(activity: activity, revision: revision, age: .milliseconds(max(0, sentAt - at)))
    }

    private static func occurrence(_ kind: ClientEventKind, _ event: inout FieldReader) -> Occurrence {
        let count = event.integer("count", 1...ServerLimits.telemetryCount)
        return Occurrence(kind: kind, count: count, at: event.integer("atMs", ActivityBody.startRange))
    }
}
