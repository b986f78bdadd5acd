// Operators list the activities of a match or a device, and find those that do not show what APNs accepted.

import FollowService
import Hummingbird
import LiveActivities
import ScoreTypes

/// `/admin/api/v1/activities`.
struct AdminActivityRoutes: Sendable {
    let control: any DeviceControl
    let monitor: ReceiptMonitor

    /// Adds the route.
    func add(to router: InternalRouter) {
        router.read(.activities) { call in
            let list = try ActivityList(call.query)
            let limit = Int(try call.query.integer("limit", 1...ServerLimits.activitiesPerPage) ?? 50)
            return Answer.json(try await page(list, limit: limit).bytes)
        }
    }

    private func page(_ list: ActivityList, limit: Int) async throws -> JSONValue {
        switch list.subject {
        case .stuck(let match, let after):
            let page = monitor.stuck(of: match, after: after, limit: limit)
            let next = page.count < limit ? nil : page.last.map { JSONValue.text($0.fingerprint) }
            return .record([
                "items": .array(page.map(\.json)), "total": .whole(monitor.stuckCount), "nextAfter": next,
            ])
        case .listed(let choice, let cursor):
            let (found, next) = try await Self.read(choice, after: cursor, lagging: list.lag, limit, from: control)
            return .record(["items": .array(found.map(\.json)), "nextAfter": next.map { .text($0.text) }])
        }
    }

    /// A page of activities whose lag is greater than a number, and the place where the next one begins.
    ///
    /// A lag is known only after an activity was read, so that several pages are read for one; it may be short, and so
    /// may a page of a state.
    static func read(
        _ choice: ActivityChoice,
        after cursor: ActivityChoice.Cursor?,
        lagging lag: Int64?,
        _ limit: Int,
        from control: any DeviceControl
    ) async throws -> (found: [ActivityView], next: ActivityChoice.Cursor?) {
        var (found, cursor): ([ActivityView], ActivityChoice.Cursor?) = ([], cursor)
        for _ in 0..<(lag == nil ? 1 : ServerLimits.activityPagesPerAnswer) {
            let page = try await control.activities(choice, after: cursor, limit: limit)
            for view in page.activities where lag.map({ view.lag ?? -1 > $0 }) ?? true {
                if found.count == limit { return (found, found.last?.cursor) }
                found.append(view)
            }
            cursor = page.next
            if cursor == nil { return (found, nil) }
        }
        return (found, cursor)
    }
}

/// The activities that a query chooses.
struct ActivityList: Sendable, Hashable {
    /// Where they are read from.
    enum Subject: Sendable, Hashable {
        /// The stuck ones of this node's buckets, in order of fingerprint.
        case stuck(MatchID?, after: String)
        case listed(ActivityChoice, after: ActivityChoice.Cursor?)
    }

    let subject: Subject
    /// Only those whose phones show a state that is older by more revisions; nil for all.
    let lag: Int64?

    init(_ query: QueryFields) throws(ServiceProblem) {
        let match = try query["match"].map { text throws(ServiceProblem) in
            guard let match = MatchID(text) else { throw .invalid("match", "expected the id of a match") }
            return match
        }
        let device = try query["device"].map { text throws(ServiceProblem) in
            guard let device = DeviceID(text) else { throw .invalid("device", "expected a UUID") }
            return device
        }
        lag = try query.integer("confirmedLagGt", 0...Int64.max)
        let word = query["state"] ?? (device == nil && (match == nil || lag == nil) ? "stuck" : "all")
        if word == "stuck", device == nil {
            subject = .stuck(match, after: query["after"] ?? "")
            return
        }
        let state = ActivityState.allCases.first { "\($0)" == word }
        guard state != nil || word == "all" else {
            throw .invalid("state", "expected stuck, active, ending, ended or all, and stuck without a device")
        }
        let cursor = try query["after"].map { text throws(ServiceProblem) in
            guard let cursor = ActivityChoice.Cursor(text) else { throw .invalid("after", "expected nextAfter") }
            return cursor
        }
        let chosen: ActivityChoice.Subject?
        if let device { chosen = .device(device) } else { chosen = match.map { .match($0) } }
        guard let subject = chosen ?? (state == .ending ? .ending : nil) else {
            throw .invalid("match", "expected a match or a device, but for stuck and ending")
        }
        self.subject = .listed(ActivityChoice(subject, state: state), after: cursor)
    }
}

extension StuckActivity {
    /// The activity for operators.
    var json: JSONValue {
        .record([
            "activity": .text(fingerprint), "device": .text(device.description), "match": .text(match.text),
            "shown": .integer(shown), "accepted": .integer(accepted), "since": .text(since.rfc3339),
            "reportedAt": .text(reportedAt.rfc3339), "restartedAt": restartedAt.map { .text($0.rfc3339) },
        ])
    }
}
