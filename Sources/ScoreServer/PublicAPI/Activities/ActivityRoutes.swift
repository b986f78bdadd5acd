// The app tells which activities run and gets the newest state to draw at once.

import HTTPTypes
import Hummingbird
import ScoreTypes

/// `/v1/devices/me/activities…` and `/v1/devices/me/reconcile`.
struct ActivityRoutes: Sendable {
    /// Most activities in a reconcile; a phone allows five.
    static let listedMax = 16
    /// How long a state counts as fresh (PUBLICATION section 3).
    static let staleAfter: Duration = .seconds(1800)

    let activities: any ActivityDirectory
    let matches: any MatchReader
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: Router<ServiceContext>, behind door: PublicDoor) {
        let one: RouterPath = "/v1/devices/me/activities/{activityId}"
        door.add(.put, one, .device, .write, to: router) { try await register($0) }
        door.add(.delete, one, .device, .write, to: router) { try await end($0) }
        door.add(.post, "/v1/devices/me/reconcile", .device, .write, to: router) { try await reconcile($0) }
    }

    private func register(_ call: Call) async throws -> Response {
        try call.query.allow()
        let activity = try call.parameter("activityId", as: ActivityID.self)
        let body = try await call.json(max: BodyLimit.single)
        let report = try ActivityReport(reading: body, device: call.owner(), activity: activity)
        guard let view = try await matches.view(of: report.match) else {
            throw ServiceProblem(.notFound, "There is no such match.")
        }
        switch try await activities.register(report) {
        case .stale(let newest): throw ServiceProblem.stale(newest)
        case .stored(let generation, let isNew):
            let bytes = JSONWriter.document(reservingBytes: 4096) { json in
                json.field("state", "active")
                json.field("generation", generation)
                write(view, into: &json)
            }
            return Answer.json(bytes, status: isNew ? .created : .ok)
        }
    }

    private func end(_ call: Call) async throws -> Response {
        try call.query.allow("clientSeq", "reason")
        let activity = try call.parameter("activityId", as: ActivityID.self)
        guard let reason = ActivityEndReason(rawValue: call.query["reason"] ?? "ended") else {
            let words = ActivityEndReason.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServiceProblem.invalid("reason", "expected one of \(words)")
        }
        let sequence = try call.clientSequence()
        let outcome = try await activities.end(
            activity,
            reason: reason,
            device: call.owner(),
            clientSequence: sequence
        )
        if case .stale(let newest) = outcome { throw ServiceProblem.stale(newest) }
        return Answer.empty()
    }

    private func reconcile(_ call: Call) async throws -> Response {
        try call.query.allow()
        let report = try ReconcileReport(reading: await call.json(max: BodyLimit.bulk), device: call.owner())
        let answer = try await activities.reconcile(report)
        let seen = try await compare(report, without: answer.end)
        let bytes = JSONWriter.document(reservingBytes: 4096) { json in
            json.list("end", answer.end + seen.gone)
            json.list("unknownTokens", answer.unknownTokens)
            json.list("missing", answer.missing)
            json.key("updates")
            json.array { json in
                for (activity, view) in seen.behind {
                    json.object { json in
                        json.field("activityId", activity.text)
                        write(view, into: &json)
                    }
                }
            }
        }
        return Answer.json(bytes)
    }

    /// The running activities that are behind, with the newest view, and those whose match was taken off.
    private func compare(
        _ report: ReconcileReport,
        without ended: [ActivityID]
    ) async throws -> (behind: [(ActivityID, MatchView)], gone: [ActivityID]) {
        var behind: [(ActivityID, MatchView)] = []
        var gone: [ActivityID] = []
        for listed in report.listed where listed.state.isRunning && !ended.contains(listed.activity) {
            do {
                guard let view = try await matches.view(of: listed.match) else { continue }
                if view.revision.number > listed.lastAppliedRevision ?? 0 { behind.append((listed.activity, view)) }
            } catch let problem as ServiceProblem where problem.kind == .matchRemoved {
                gone.append(listed.activity)
            }
        }
        return (behind, gone)
    }

    private func write(_ view: MatchView, into json: inout JSONWriter) {
        json.field("currentRev", view.revision.number)
        json.key("contentState")
        json.raw(view.news.contentState)
        json.field("staleDate", (clock.wall + Self.staleAfter).seconds)
    }
}

extension JSONWriter {
    fileprivate mutating func list(_ name: StaticString, _ activities: [ActivityID]) {
        key(name)
        array { json in for activity in activities { json.string(activity.text) } }
    }
}
