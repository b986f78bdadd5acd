// The routes call this part of the activity store; their tests replace it.

import FollowService
import ScoreTypes

/// Stores Live Activities; see ``FollowService/Activities``.
protocol ActivityStore: Sendable {
    func register(_ registration: ActivityRegistration) async throws -> ActivityOutcome
    func end(_ end: ActivityEnd) async throws -> ActivityEndOutcome
    func beginEnd(
        match: MatchID,
        device: DeviceID,
        before clientSequence: Int64?,
        reason: EndReason
    ) async throws -> EndingActivity?
    func reconcile(
        device: DeviceID,
        reported: [ReportedActivity],
        clientSequence: Int64
    ) async throws -> ReconcileOutcome
    func shown(_ revisions: [ActivityID: Int64], by device: DeviceID) async throws -> [ShownActivity]
}

extension Activities: ActivityStore {}
