// Operators find the phones that do not show what APNs accepts for them.

import Hummingbird
import LiveActivities
import ScoreTypes

/// `/admin/api/v1/activities`.
struct StuckRoutes: Sendable {
    let monitor: ReceiptMonitor

    /// Adds the route.
    func add(to router: InternalRouter) {
        router.read(.stuckActivities) { call in
            guard call.query.value("state") ?? "stuck" == "stuck" else {
                throw ServiceProblem.invalid("state", "expected stuck")
            }
            let match = try call.query["match"].map { text throws(ServiceProblem) in
                guard let match = MatchID(text) else { throw .invalid("match", "expected the id of a match") }
                return match
            }
            let limit = Int(try call.query.integer("limit", 1...ServerLimits.stuckActivitiesPerPage) ?? 50)
            let page = monitor.stuck(of: match, after: call.query["after"] ?? "", limit: limit)
            let next = page.count < limit ? nil : page.last.map { JSONValue.text($0.fingerprint) }
            return Answer.json(
                JSONValue.record([
                    "items": .array(page.map(\.json)), "total": .whole(monitor.stuckCount), "nextAfter": next,
                ]).bytes
            )
        }
    }
}

extension StuckActivity {
    /// The activity for operators.
    fileprivate var json: JSONValue {
        .record([
            "activity": .text(fingerprint), "device": .text(device.description), "match": .text(match.text),
            "shown": .integer(shown), "accepted": .integer(accepted), "since": .text(since.rfc3339),
            "reportedAt": .text(reportedAt.rfc3339), "restartedAt": restartedAt.map { .text($0.rfc3339) },
        ])
    }
}
