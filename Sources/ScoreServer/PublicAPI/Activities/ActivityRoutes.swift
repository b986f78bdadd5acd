// Routes by which an app reports its Live Activities; the answers carry the newest state to draw.

import FollowService
import HTTPTypes
import Hummingbird
import LiveActivities
import MatchEngine
import MatchJournal
import ScoreTypes

/// `/v1/devices/me/activities…` and `/v1/devices/me/reconcile`.
struct ActivityRoutes: Sendable {
    /// How long a state counts as fresh (PUBLICATION section 3).
    static let staleAfter: Duration = .seconds(1800)

    let dependencies: PublicDependencies
    let channels: KnownChannels
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: PublicRouter) {
        let one: RouterPath = "/v1/devices/me/activities/{activityId}"
        router.add(.put, one, .device, .activities) { try await register($0) }
        router.add(.delete, one, .device, .write, query: ["clientSeq", "reason"]) { try await end($0) }
        router.add(.post, "/v1/devices/me/reconcile", .device, .write) { try await reconcile($0) }
    }

    private func register(_ call: Call) async throws -> Response {
        let activity = try call.parameter("activityId", as: ActivityID.self)
        let json = try await call.json(max: ServerLimits.bodyBytes)
        var body = try ActivityBody(reading: json, device: call.owner(), activity: activity, at: clock.wall)
        try dependencies.served.check(body.registration.environment)
        let view = try await dependencies.matches.existingView(of: body.registration.match)
        if case .channel(let channel) = body.registration.route {
            try await channels.check(
                channel,
                of: body.registration.match,
                in: body.registration.environment,
                attributesType: body.attributesType
            )
        }
        body.registration.variant = try await variant(of: body)
        switch try await dependencies.activities.register(body.registration) {
        case .registered(let generation):
            return answer(view, generation, status: generation == 1 ? .created : .ok)
        case .replaced(let earlier, let generation):
            return answer(view, generation, replacing: earlier, status: .created)
        case .unchanged(let generation): return answer(view, generation, status: .ok)
        case .outdated(let stored): throw ServiceProblem.stale(stored.clientSequence)
        case .ended:
            throw ServiceProblem(.conflict, "This activity has ended; start another one under a new id.")
        case .unknownDevice: throw ServiceProblem(.invalidCredential)
        }
    }

    /// The content state that an activity decodes: the newest version of ours that is not newer than the app's.
    private func variant(of body: ActivityBody) async throws -> ActivityVariant {
        let offered: Int64?
        if let version = body.schemaVersion {
            offered = version
        } else {
            offered = try await dependencies.devices.find(body.registration.device).map { Int64($0.schemaVersion) }
        }
        let version = ContentStateVersion.allCases.last { $0.rawValue <= offered ?? 0 } ?? .standard
        return ActivityVariant(attributesType: body.attributesType ?? dependencies.attributesType, version: version)
    }

    private func answer(
        _ view: MatchView,
        _ generation: Int32,
        replacing earlier: ActivityID? = nil,
        status: HTTPResponse.Status
    ) -> Response {
        let bytes = JSONWriter.document(reservingBytes: 4096) { json in
            json.field("state", "active")
            json.field("generation", generation)
            json.field("replacedActivityId", ifPresent: earlier?.text)
            write(view, into: &json)
        }
        return Answer.json(bytes, status: status)
    }

    private func end(_ call: Call) async throws -> Response {
        let activity = try call.parameter("activityId", as: ActivityID.self)
        guard let reason = EndReason.ofApp.first(where: { $0.rawValue == call.query.value("reason") ?? "ended" }) else {
            let reasons = EndReason.ofApp.map(\.rawValue).joined(separator: ", ")
            throw ServiceProblem.invalid("reason", "expected one of \(reasons)")
        }
        let sequence = try call.clientSequence()
        let end = ActivityEnd(
            device: try call.owner(),
            activityID: activity,
            reason: reason,
            clientSequence: sequence
        )
        switch try await dependencies.activities.end(end) {
        case .ended, .unknown:
            dependencies.receipts.forget([activity], of: end.device)
            return Answer.empty()
        case .outdated(let newest): throw ServiceProblem.stale(newest)
        }
    }

    private func reconcile(_ call: Call) async throws -> Response {
        var fields = FieldReader(try await call.json(max: ServerLimits.listBodyBytes))
        let (reported, sequence) = (fields.reportedActivities(), fields.clientSequence())
        fields.ignore("pushToStartFingerprint", "follows")
        try fields.finish()
        let device = try call.owner()
        let outcome = try await dependencies.activities.reconcile(
            device: device,
            reported: reported,
            clientSequence: sequence
        )
        let now = clock.wall
        dependencies.receipts.take(outcome.shown.map { Receipt(device: device, activity: $0, observedAt: now) })
        dependencies.receipts.forget(outcome.missing + outcome.end, of: device)
        let compared = try await compare(reported, without: outcome.end)
        let follows = try await dependencies.follows.list(device)
        let context = try await dependencies.context(of: follows, of: device)
        let bytes = JSONWriter.document(reservingBytes: 4096) { json in
            json.array("end", outcome.end + compared.gone)
            json.array("unknownTokens", outcome.unknownTokens)
            json.array("missing", outcome.missing)
            json.strings("movedTokens", outcome.movedTokens.map(\.rawValue))
            json.objects("updates", compared.behind) { update, json in
                json.field("activityId", update.activity.text)
                write(update.view, into: &json)
            }
            json.follows("follows", follows, context)
        }
        return Answer.json(bytes)
    }

    /// The running activities that show an older revision, with the newest view, and those whose match was removed.
    private func compare(
        _ reported: [ReportedActivity],
        without ended: [ActivityID]
    ) async throws -> (behind: [(activity: ActivityID, view: MatchView)], gone: [ActivityID]) {
        var behind: [(activity: ActivityID, view: MatchView)] = []
        var gone: [ActivityID] = []
        for activity in reported where activity.isRunning && !ended.contains(activity.activityID) {
            do {
                guard let view = try await dependencies.matches.view(of: activity.match) else { continue }
                if view.revision.number > activity.shownRevision ?? 0 { behind.append((activity.activityID, view)) }
            } catch let problem as ServiceProblem where problem.kind == .matchRemoved {
                gone.append(activity.activityID)
            }
        }
        return (behind, gone)
    }

    private func write(_ view: MatchView, into json: inout JSONWriter) {
        json.field("currentRev", view.revision.number)
        json.key("contentState")
        json.raw(view.publication.contentState)
        json.field("staleDate", (clock.wall + Self.staleAfter).seconds)
        // An app draws the state with it, so that iOS ignores an older push that is still on its way.
        json.field("timestamp", view.publication.apnsTimestamp)
    }
}
