// The public API's Live Activities, kept by FollowService.

import FollowService
import LiveActivities
import MatchEngine
import ScoreTypes

/// Joins the two rooms.
struct ActivityJoin: ActivityDirectory {
    let activities: FollowService.Activities
    let devices: FollowService.Devices
    /// What an app draws that does not say.
    let attributesType: String
    /// Who hears what phones show.
    let receipts: ReceiptMonitor

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
            variant: try await variant(of: report),
            route: route,
            knownRev: report.knownRevision,
            startedAt: report.startedAt,
            startedBy: report.startedBy == .push ? .push : .app,
            clientSeq: report.clientSequence
        )
        switch try await activities.register(registration) {
        case .registered(let generation): return .stored(generation: Int64(generation), isNew: generation == 1)
        case .unchanged(let generation): return .stored(generation: Int64(generation), isNew: false)
        case .outdated(let stored): return .stale(clientSequence: stored.clientSeq)
        case .ended:
            throw ServiceProblem(.conflict, "This activity has ended; start another one under a new id.")
        case .unknownDevice: throw ServiceProblem(.invalidCredential)
        }
    }

    private func variant(of report: ActivityReport) async throws -> ActivityVariant {
        let told: Int64?
        if let version = report.schemaVersion {
            told = version
        } else {
            told = try await devices.find(report.device).map { Int64($0.schemaVersion) }
        }
        // A layout is read by every later app, so the newest of ours that is not beyond the app's.
        let version = ContentStateVersion.allCases.last { $0.rawValue <= told ?? 0 } ?? .standard
        return ActivityVariant(attributesType: report.attributesType ?? attributesType, version: version)
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
        case .outdated(let newest): return .stale(clientSequence: newest)
        }
    }

    func reconcile(_ report: ReconcileReport) async throws -> ReconcileAnswer {
        let reported = report.listed.map { listed in
            ReportedActivity(
                activityID: listed.activity,
                match: listed.match,
                isActive: listed.state.isRunning,
                isDismissed: listed.state == .dismissed,
                tokenFingerprint: listed.tokenFingerprint,
                shownRevision: listed.lastAppliedRevision
            )
        }
        let outcome = try await activities.reconcile(
            device: report.device,
            reported: reported,
            clientSeq: report.clientSequence
        )
        for shown in outcome.shown { receipts.take(shown, of: report.device) }
        receipts.forget(outcome.missing + outcome.end, of: report.device)
        return ReconcileAnswer(end: outcome.end, unknownTokens: outcome.unknownTokens, missing: outcome.missing)
    }
}

extension ActivityVariant {
    /// What an app decodes by its attributes' type; all but the portable contract's is the product's own.
    init(attributesType: String, version: ContentStateVersion) {
        if attributesType == SurfaceRenderer.attributesType {
            self = .portable
        } else {
            self = version == .standard ? .own : .ownNewest
        }
    }
}
