// Rooms whose every call fails the test, but for those that the test has thought of.

import Foundation
import MatchEngine
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

/// Fails the test and the call.
func unexpected<Value>(_ call: String) throws -> Value {
    Issue.record("unexpected call of \(call)")
    throw ServiceProblem(.internalError)
}

struct StubDevices: DeviceDirectory {
    var onRegister: @Sendable (NewDevice) async throws -> Void = { _ in try unexpected("register") }
    var onHash: @Sendable (DeviceID) async throws -> [UInt8]? = { _ in try unexpected("credentialHash") }
    var onFind: @Sendable (DeviceID) async throws -> DeviceView? = { _ in try unexpected("find") }
    var onPatch: @Sendable (DeviceID, DevicePatch) async throws -> DeviceView? = { _, _ in try unexpected("patch") }
    var onErase: @Sendable (DeviceID) async throws -> Void = { _ in try unexpected("erase") }
    var onToken: @Sendable (DeviceTokenWish) async throws -> TokenOutcome = { _ in try unexpected("setToken") }

    func register(_ device: NewDevice) async throws { try await onRegister(device) }
    func credentialHash(of device: DeviceID) async throws -> [UInt8]? { try await onHash(device) }
    func find(_ device: DeviceID) async throws -> DeviceView? { try await onFind(device) }
    func patch(_ device: DeviceID, _ patch: DevicePatch, if condition: IfMatch) async throws -> DeviceView? {
        try await onPatch(device, patch)
    }
    func erase(_ device: DeviceID) async throws { try await onErase(device) }
    func setToken(_ wish: DeviceTokenWish, of device: DeviceID) async throws -> TokenOutcome { try await onToken(wish) }
}

struct StubFollows: FollowDirectory {
    var onList: @Sendable (DeviceID) async throws -> [FollowView] = { _ in try unexpected("follows") }
    var onPut: @Sendable (FollowWish, Int64) async throws -> FollowOutcome = { _, _ in try unexpected("put") }
    var onRemove: @Sendable (MatchID, Int64) async throws -> FollowOutcome? = { _, _ in try unexpected("remove") }
    var onReplace: @Sendable ([FollowWish], Int64) async throws -> FollowListOutcome = { _, _ in
        try unexpected("replaceAll")
    }

    func follows(of device: DeviceID) async throws -> [FollowView] { try await onList(device) }
    func put(_ wish: FollowWish, device: DeviceID, clientSequence: Int64) async throws -> FollowOutcome {
        try await onPut(wish, clientSequence)
    }
    func remove(_ match: MatchID, device: DeviceID, clientSequence: Int64) async throws -> FollowOutcome? {
        try await onRemove(match, clientSequence)
    }
    func replaceAll(
        _ wishes: [FollowWish],
        keeping kept: Set<MatchID>,
        device: DeviceID,
        clientSequence: Int64
    ) async throws -> FollowListOutcome { try await onReplace(wishes, clientSequence) }
}

struct StubActivities: ActivityDirectory {
    var onRegister: @Sendable (ActivityReport) async throws -> ActivityOutcome = { _ in try unexpected("register") }
    var onEnd: @Sendable (ActivityID, ActivityEndReason, Int64) async throws -> ActivityOutcome? = { _, _, _ in
        try unexpected("end")
    }
    var onReconcile: @Sendable (ReconcileReport) async throws -> ReconcileAnswer = { _ in try unexpected("reconcile") }

    func register(_ report: ActivityReport) async throws -> ActivityOutcome { try await onRegister(report) }
    func end(
        _ activity: ActivityID,
        reason: ActivityEndReason,
        device: DeviceID,
        clientSequence: Int64
    ) async throws -> ActivityOutcome? { try await onEnd(activity, reason, clientSequence) }
    func reconcile(_ report: ReconcileReport) async throws -> ReconcileAnswer { try await onReconcile(report) }
}
