// The routes call this part of the device store; their tests replace it.

import FollowService
import ScoreTypes

/// Stores devices; see ``FollowService/Devices``.
protocol DeviceStore: Sendable {
    func register(_ device: NewDevice) async throws -> Bool
    func find(_ device: DeviceID) async throws -> DeviceRecord?
    func authenticate(_ device: DeviceID) async throws -> StoredCredential?
    func noteUse(of device: DeviceID) async throws
    func rotate(_ rotation: CredentialRotation) async throws -> CredentialRotationOutcome
    func patch(
        _ device: DeviceID,
        _ decide: @escaping @Sendable (DeviceRecord) -> DevicePatch?
    ) async throws -> DevicePatchOutcome
    func erase(_ device: DeviceID) async throws -> [EndingActivity]?
    func setToken(_ registration: DeviceTokenRegistration) async throws -> DeviceTokenOutcome
}

extension Devices: DeviceStore {}
