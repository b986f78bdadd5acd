// What the public API needs of the room that keeps Live Activities; the composition joins the two.

import ScoreTypes

/// How an activity gets its updates.
enum ActivityRoute: Sendable, Hashable {
    case token(PushToken)
    case channel(ChannelID)
}

/// Who started an activity.
enum ActivityStarter: String, Sendable, Hashable, CaseIterable { case app, push }

/// An activity that an app reports.
struct ActivityReport: Sendable {
    let device: DeviceID
    let activity: ActivityID
    let match: MatchID
    let environment: PushEnvironment
    let route: ActivityRoute
    let startedAt: Instant
    let startedBy: ActivityStarter
    /// Swift type of the attributes in the app; nil for the configured one.
    let attributesType: String?
    /// Newest version of the content state that it decodes; nil: what its device registered.
    let schemaVersion: Int64?
    /// The newest revision that the app has drawn; 0 for none.
    let knownRevision: Int64
    let clientSequence: Int64
}

/// What became of a report.
enum ActivityOutcome: Sendable {
    case stored(generation: Int64, isNew: Bool)
    case stale(clientSequence: Int64)
}

/// Why an activity is over.
enum ActivityEndReason: String, Sendable, Hashable, CaseIterable { case ended, dismissed, stale, unfollowed }

/// An activity's state as ActivityKit names it.
enum ListedState: String, Sendable, Hashable, CaseIterable {
    case active, stale, pending, ended, dismissed

    /// Whether the activity can still be updated.
    var isRunning: Bool { self != .ended && self != .dismissed }
}

/// What activities a phone has when the app comes to the foreground.
struct ReconcileReport: Sendable {
    /// One activity that ActivityKit lists.
    struct Listed: Sendable {
        let activity: ActivityID
        let state: ListedState
        let match: MatchID
        let lastAppliedRevision: Int64?
        let tokenFingerprint: String?
    }
    let device: DeviceID
    let listed: [Listed]
    let clientSequence: Int64
}

/// What the phone has to do so that both sides agree.
struct ReconcileAnswer: Sendable {
    /// Activities that the app should end.
    var end: [ActivityID] = []
    /// Activities whose token the server does not know, or knows otherwise.
    var unknownTokens: [ActivityID] = []
    /// Activities that the server thought running; it has closed them.
    var missing: [ActivityID] = []
}

/// Keeps Live Activities.
protocol ActivityDirectory: Sendable {
    func register(_ report: ActivityReport) async throws -> ActivityOutcome
    /// nil when it was ended, or not there.
    func end(
        _ activity: ActivityID,
        reason: ActivityEndReason,
        device: DeviceID,
        clientSequence: Int64
    ) async throws -> ActivityOutcome?
    func reconcile(_ report: ReconcileReport) async throws -> ReconcileAnswer
}
