// Operators read how long alerts wait, and which of them were taken back.

import Hummingbird
import MatchJournal
import ScoreTypes

/// `GET /admin/api/v1/alerts/confirmation` and `/alerts/revoked`.
struct AlertRoutes: Sendable {
    let alerts: any AlertEvidence

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.alertConfirmation) { _ in
            Answer.json(AdminRoutes.items(alerts.confirmations().map(\.json)))
        }
        router.read(.revokedAlerts) { call in
            let before = try call.query.integer("before", 1...Int64.max)
            let limit = try call.query.integer("limit", 1...ServerLimits.revokedAlertsPerPage) ?? 50
            let page = try await alerts.revoked(before: before, limit: Int(limit))
            let next = page.next.map { JSONValue.integer($0) }
            return Answer.json(JSONValue.record(["items": .array(page.alerts.map(\.json)), "nextBefore": next]).bytes)
        }
    }
}

extension AdminRoute {
    static let alertConfirmation = read("alerts.confirmation.read", "/alerts/confirmation")
    static let revokedAlerts = read("alerts.revoked.read", "/alerts/revoked", query: ["before", "limit"])

    /// All of them.
    static let alertReads = [alertConfirmation, revokedAlerts]
}

extension StoredRevokedAlert {
    var json: JSONValue {
        let moment = alert.moment
        return .record([
            "at": .text(at.rfc3339), "matchId": .text(alert.match.text), "feed": .text(alert.feed.text),
            "key": .text(moment.key), "kind": .text(moment.kind.rawValue), "title": .text(moment.title),
            "body": .text(moment.body), "confirmedBy": .text(moment.confirmedBy.rawValue),
            "waitedSeconds": .whole(moment.waited), "lastReportedSeconds": .whole(moment.lastReportedAt),
        ])
    }
}
