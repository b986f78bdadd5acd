// The public API's devices, kept by FollowService.

import FollowService
import MatchEngine
import ScoreTypes

/// Joins the two rooms.
struct DeviceJoin: DeviceDirectory {
    let devices: FollowService.Devices
    let follows: FollowService.Follows
    /// What an app draws that does not say.
    let attributesType: String
    /// Ends on the phones what an erased device still showed.
    let ending: @Sendable ([EndingActivity]) async -> Void

    func register(_ device: NewDevice) async throws {
        _ = try await devices.register(
            FollowService.NewDevice(
                device: device.id,
                environment: device.profile.environment,
                bundleID: device.profile.bundleID,
                abilities: FollowService.DeviceAbilities(device.profile.abilities),
                schemaVersion: device.profile.contentVersion,
                profile: StoredProfile(device.profile).bytes,
                credentialHash: device.credentialHash,
                quietHours: device.profile.quietHours.flatMap(FollowService.QuietHours.init)
            )
        )
    }

    func credentialHash(of device: DeviceID) async throws -> [UInt8]? { try await devices.authenticate(device) }

    func find(_ device: DeviceID) async throws -> DeviceView? {
        guard let record = try await devices.find(device) else { return nil }
        return try await view(of: record)
    }

    func patch(_ device: DeviceID, _ patch: DevicePatch, if condition: IfMatch) async throws -> DeviceView? {
        let outcome = try await devices.patch(device) { record in
            var profile = DeviceProfile(record)
            guard condition.allows(profile.tag) else { return nil }
            profile.apply(patch)
            return FollowService.DevicePatch(
                abilities: FollowService.DeviceAbilities(profile.abilities),
                schemaVersion: profile.contentVersion,
                profile: StoredProfile(profile).bytes,
                quietHours: patch.quietHours.map { $0.flatMap(FollowService.QuietHours.init) }
            )
        }
        switch outcome {
        case .changed(let record): return try await view(of: record)
        case .declined(let record):
            throw ServiceProblem(.preconditionFailed, extras: ["currentEtag": .text(DeviceProfile(record).tag)])
        case .unknownDevice: return nil
        }
    }

    func erase(_ device: DeviceID) async throws {
        guard let activities = try await devices.erase(device) else { return }
        await ending(activities)
    }

    func setToken(_ wish: DeviceTokenWish, of device: DeviceID) async throws -> TokenOutcome {
        let known: PushEnvironment?
        if let told = wish.environment { known = told } else { known = try await devices.find(device)?.environment }
        guard let known else { throw ServiceProblem(.invalidCredential) }
        let wish = FollowService.DeviceTokenWish(
            device: device,
            kind: wish.kind == .alert ? .alert : .pushToStart,
            token: wish.token,
            environment: known,
            // A start looks at the version that the device has registered by then.
            variant: ActivityVariant(attributesType: wish.attributesType ?? attributesType, version: .standard),
            clientSequence: wish.clientSequence
        )
        switch try await devices.setToken(wish) {
        case .stored(let generation): return .stored(generation: Int64(generation), isNew: generation == 1)
        case .unchanged(let generation): return .stored(generation: Int64(generation), isNew: false)
        case .outdated(_, let sequence): return .stale(clientSequence: sequence)
        case .unknownDevice: throw ServiceProblem(.invalidCredential)
        }
    }

    private func view(of record: DeviceRecord) async throws -> DeviceView {
        var tokens: [DeviceTokenKind: DeviceTokenView] = [:]
        for (kind, stored) in [(DeviceTokenKind.alert, record.alertToken), (.pushToStart, record.startToken)] {
            guard let stored, let print = Fingerprint(sha256: SecretDigest(of: stored.token.bytes).bytes) else {
                continue
            }
            tokens[kind] = DeviceTokenView(fingerprint: print, generation: Int64(stored.generation))
        }
        return DeviceView(
            id: record.device,
            profile: DeviceProfile(record),
            createdAt: record.createdAt,
            tokens: tokens,
            followCount: try await follows.list(record.device).count
        )
    }
}

extension FollowService.DeviceAbilities {
    /// The stored bits of what a phone allows.
    init(_ abilities: DeviceAbilities) {
        self = []
        if abilities.activities { insert(.activities) }
        if abilities.frequentPushes { insert(.frequentPushes) }
        if abilities.alerts { insert(.alerts) }
        if abilities.channels { insert(.channels) }
    }
}

extension FollowService.QuietHours {
    fileprivate init?(_ told: QuietTime) { self.init(from: told.from, until: told.until) }
}

extension DeviceProfile {
    /// What a stored device said about itself.
    init(_ record: DeviceRecord) {
        let stored = StoredProfile(record.profile)
        self.init(
            platform: stored.platform ?? "ios",
            bundleID: record.bundleID,
            appBuild: stored.appBuild ?? "",
            osVersion: stored.osVersion ?? "",
            model: stored.model,
            locale: stored.locale,
            timeZone: stored.timeZone,
            environment: record.environment,
            schemaVersions: stored.contentSchemaVersions ?? [Int64(record.schemaVersion)],
            abilities: DeviceAbilities(
                activities: record.abilities.contains(.activities),
                frequentPushes: record.abilities.contains(.frequentPushes),
                alerts: record.abilities.contains(.alerts),
                channels: record.abilities.contains(.channels)
            ),
            quietHours: record.quietHours.map { QuietTime(from: $0.from, until: $0.until) }
        )
    }

    /// The number of the newest layout that both sides know.
    fileprivate var contentVersion: Int16 {
        let offered = schemaVersions.compactMap { Int(exactly: $0) }
        return Int16(clamping: ContentStateVersion.chosen(from: offered).rawValue)
    }

    fileprivate mutating func apply(_ patch: DevicePatch) {
        appBuild = patch.appBuild ?? appBuild
        osVersion = patch.osVersion ?? osVersion
        locale = patch.locale ?? locale
        timeZone = patch.timeZone ?? timeZone
        schemaVersions = patch.schemaVersions ?? schemaVersions
        abilities.activities = patch.activities ?? abilities.activities
        abilities.frequentPushes = patch.frequentPushes ?? abilities.frequentPushes
        abilities.alerts = patch.alerts ?? abilities.alerts
        abilities.channels = patch.channels ?? abilities.channels
    }
}
