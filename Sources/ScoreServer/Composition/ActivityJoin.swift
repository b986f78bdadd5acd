// The public API's Live Activities, kept by FollowService.

import FollowService
import ScoreTypes

/// Joins the two rooms.
struct ActivityJoin: ActivityDirectory {
    let activities: FollowService.Activities

    func register(_ report: ActivityReport) async throws -> ActivityOutcome {
        let route: FollowService.ActivityRoute =
            switch report.route {
            case .token(let token): .token(token)
            case .channel(let channel): .channel(channel)
            }
        let registration = ActivityRegistration(
            device: report.device,
            match: report.match,
            activityID: report.activity,
            environment: report.environment,
            route: route,
            knownRev: report.knownRevision,
            startedAt: report.startedAt,
            clientSeq: report.clientSequence
        )
        switch try await activities.register(registration) {
        case .registered(let generation): return .stored(generation: Int64(generation), isNew: generation == 1)
        case .unchanged(let generation): return .stored(generation: Int64(generation), isNew: false)
        case .outdated(let stored): return .stale(clientSequence: stored.clientSeq)
        case .ended:
            throw ServiceProblem(.conflict, "This activity has ended; start another one under a new id.")
        }
    }

    func end(
        _ activity: ActivityID,
        reason: ActivityEndReason,
        device: DeviceID,
        clientSequence: Int64
    ) async throws -> ActivityOutcome? {
        let reason = EndReason(rawValue: reason.rawValue) ?? .ended
        let end = ActivityEnd(device: device, activityID: activity, reason: reason, clientSeq: clientSequence)
        switch try await activities.end(end) {
        case .ended, .unknown: return nil
        case .outdated: return .stale(clientSequence: clientSequence)
        }
    }

    func reconcile(_ report: ReconcileReport) async throws -> ReconcileOutcome {
        let reported = report.running.map { running in
            ReportedActivity(
                activityID: running.activity,
                match: running.match,
                isActive: true,
                tokenFingerprint: running.tokenFingerprint
            )
        }
        let outcome = try await activities.reconcile(
            device: report.device,
            reported: reported,
            clientSeq: report.clientSequence
        )
        return .done(
            ReconcileAnswer(end: outcome.end, unknownTokens: outcome.unknownTokens, missing: outcome.missing)
        )
    }
}
