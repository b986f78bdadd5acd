// Stubs that fail the test at each call without a handler.

import MatchJournal
import Providers
import ScoreTypes
import Testing

@testable import FollowService
@testable import ScoreServer

/// Fails the test and the call.
func unexpected<Value>(_ call: String) throws -> Value {
    Issue.record("unexpected call of \(call)")
    throw ServiceProblem(.internalError)
}

struct StubDevices: DeviceStore {
    var onRegister: @Sendable (NewDevice) async throws -> Bool = { _ in try unexpected("register") }
    var onHash: @Sendable (DeviceID) async throws -> [UInt8]? = { _ in try unexpected("authenticate") }
    var onFind: @Sendable (DeviceID) async throws -> DeviceRecord? = { _ in try unexpected("find") }
    var onErase: @Sendable (DeviceID) async throws -> [EndingActivity]? = { _ in try unexpected("erase") }
    var onToken: @Sendable (DeviceTokenRegistration) async throws -> DeviceTokenOutcome = { _ in
        try unexpected("setToken")
    }

    func register(_ device: NewDevice) async throws -> Bool { try await onRegister(device) }
    func authenticate(_ device: DeviceID) async throws -> StoredCredential? {
        try await onHash(device).map { StoredCredential(hash: $0) }
    }
    func noteUse(of device: DeviceID) async throws {}
    func rotate(_ rotation: CredentialRotation) async throws -> CredentialRotationOutcome { try unexpected("rotate") }
    func find(_ device: DeviceID) async throws -> DeviceRecord? { try await onFind(device) }
    func patch(
        _ device: DeviceID,
        _ decide: @escaping @Sendable (DeviceRecord) -> DevicePatch?
    ) async throws -> DevicePatchOutcome { try unexpected("patch") }
    func erase(_ device: DeviceID) async throws -> [EndingActivity]? { try await onErase(device) }
    func setToken(_ registration: DeviceTokenRegistration) async throws -> DeviceTokenOutcome {
        try await onToken(registration)
    }
}

struct StubChannels: ChannelFinder {
    var onFind: @Sendable (ChannelID, PushEnvironment) async throws -> ChannelRecord? = { _, _ in
        try unexpected("find")
    }

    func currentOrRequested(_ kinds: Set<ChannelKind>) async throws -> [ChannelKind: ChannelID] { [:] }
    func find(_ channel: ChannelID, in environment: PushEnvironment) async throws -> ChannelRecord? {
        try await onFind(channel, environment)
    }
}

struct StubFollows: FollowStore {
    var onList: @Sendable (DeviceID) async throws -> [Follow] = { _ in try unexpected("list") }
    var onPut: @Sendable (FollowSettings, DeviceID, Int64) async throws -> FollowOutcome = { _, _, _ in
        try unexpected("put")
    }
    var onRemove: @Sendable (MatchID, DeviceID, Int64) async throws -> FollowOutcome = { _, _, _ in
        try unexpected("remove")
    }
    var onReplace: @Sendable ([FollowSettings], DeviceID, Int64) async throws -> FollowListOutcome = { _, _, _ in
        try unexpected("replaceAll")
    }

    func list(_ device: DeviceID) async throws -> [Follow] { try await onList(device) }
    func put(_ settings: FollowSettings, of device: DeviceID, clientSequence: Int64) async throws -> FollowOutcome {
        try await onPut(settings, device, clientSequence)
    }
    func remove(
        _ match: MatchID,
        of device: DeviceID,
        clientSequence: Int64,
        isKnown: Bool
    ) async throws -> FollowOutcome {
        try await onRemove(match, device, clientSequence)
    }
    func replaceAll(
        _ list: [FollowSettings],
        keeping kept: Set<MatchID>,
        of device: DeviceID,
        clientSequence: Int64
    ) async throws -> FollowListOutcome { try await onReplace(list, device, clientSequence) }
}

struct StubActivities: ActivityStore {
    var onRegister: @Sendable (ActivityRegistration) async throws -> ActivityOutcome = { _ in
        try unexpected("register")
    }
    var onEnd: @Sendable (ActivityEnd) async throws -> ActivityEndOutcome = { _ in try unexpected("end") }
    var onReconcile: @Sendable ([ReportedActivity]) async throws -> ReconcileOutcome = { _ in
        try unexpected("reconcile")
    }

    func register(_ registration: ActivityRegistration) async throws -> ActivityOutcome {
        try await onRegister(registration)
    }
    func end(_ end: ActivityEnd) async throws -> ActivityEndOutcome { try await onEnd(end) }
    /// No device of these tests has an activity of an unfollowed match.
    func beginEnd(
        match: MatchID,
        device: DeviceID,
        before clientSequence: Int64?,
        reason: EndReason
    ) async throws -> EndingActivity? { nil }
    func reconcile(
        device: DeviceID,
        reported: [ReportedActivity],
        clientSequence: Int64
    ) async throws -> ReconcileOutcome { try await onReconcile(reported) }
    /// No device of these tests has an activity.
    func shown(_ revisions: [ActivityID: Int64], by device: DeviceID) async throws -> [ShownActivity] { [] }
}

extension DeviceRecord {
    /// A device without tokens.
    init(of device: DeviceID, schemaVersion: Int16 = 1, profile: String = "") {
        self.init(
            device: device,
            createdAt: Instant(milliseconds: 0),
            environment: .sandbox,
            bundleID: "com.example.scores",
            abilities: [.activities, .frequentPushes, .alerts],
            schemaVersion: schemaVersion,
            profileJSON: Array(profile.utf8),
            alertToken: nil,
            startToken: nil,
            widgetToken: nil,
            startVariant: .own,
            quietHours: nil,
            profileSequence: 0,
            movedTokens: []
        )
    }
}

extension DeviceDetail {
    /// A device without tokens, that was never blocked.
    init(of device: DeviceID, profile: String = "") {
        self.init(
            device: DeviceRecord(of: device, profile: profile),
            seenAt: Instant(milliseconds: 1_800_000_000_000),
            reconciledAt: nil,
            blockedAt: nil,
            testerAt: nil,
            isRevoked: false
        )
    }
}

extension ListedActivity {
    /// An active activity on a token.
    init(of device: DeviceID, match: MatchID, id: String, accepted: Int64) {
        let at = Instant(milliseconds: 1_800_000_000_000)
        self.init(
            device: device,
            match: match,
            activityID: ActivityID(unchecked: id),
            state: .active,
            endReason: nil,
            environment: .sandbox,
            variant: .own,
            route: PushToken(bytes: [1, 2, 3]).map { .token($0) },
            startedBy: .app,
            startedAt: at,
            tokenAt: at,
            endingAt: nil,
            generation: 1,
            knownRev: 0,
            accepted: accepted
        )
    }
}
