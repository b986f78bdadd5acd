// An order of an operator about one device holds for every call of it, also for those that are under way.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite(.timeLimit(.minutes(2))) struct DeviceOrdersTests {
    private static let hash = [UInt8](repeating: 7, count: 32)

    private static func add(_ store: Store, _ numbers: UInt64...) async throws {
        for number in numbers {
            let new = NewDevice(
                device: device(number),
                environment: .sandbox,
                bundleID: "app",
                abilities: [.activities, .frequentPushes, .alerts],
                profile: DeviceProfile(appBuild: "4\(number)"),
                credentialHash: hash
            )
            #expect(try await store.devices.register(new))
        }
    }

    private static func set(
        _ kind: DeviceTokenKind,
        _ value: UInt64,
        of number: UInt64,
        seq: Int64,
        in store: Store
    ) async throws -> DeviceTokenOutcome {
        let call = DeviceTokenRegistration(
            device: device(number),
            kind: kind,
            token: try token(value),
            environment: .sandbox,
            clientSequence: seq
        )
        return try await store.devices.setToken(call)
    }

    @Test func aBlockedDeviceHasNoTokenAndNoActivityUntilItIsUnblocked() async throws {
        let store = try await Store()
        try await Self.add(store, 1, 2)
        let tokens: [(DeviceTokenKind, UInt64)] = [(.alert, 10), (.pushToStart, 11), (.widget, 12)]
        for (kind, value) in tokens {
            #expect(try await Self.set(kind, value, of: 1, seq: 1, in: store) == .stored(generation: 1))
        }
        try await store.register(1, seq: 1, route: .token(try token(20)))
        try await store.register(2, seq: 1, route: .token(try token(21)))

        let ended = try #require(try await store.devices.block(device(1)))
        #expect(ended.map(\.device) == [device(1)] && ended.map(\.reason) == [.operator])
        #expect(try await store.devices.block(device(1))?.isEmpty == true, "a repetition ends nothing more")
        let credential = try #require(try await store.devices.authenticate(device(1)))
        #expect(credential.isBlocked && credential.hash == Self.hash)
        let blocked = try #require(try await store.devices.detail(of: device(1)))
        #expect(blocked.blockedAt == store.time.now && !blocked.isRevoked)
        #expect(DeviceTokenKind.allCases.allSatisfy { blocked.device.token($0) == nil })
        #expect(blocked.device.movedTokens == DeviceTokenKind.allCases, "the app registers them again")
        let owners = try await store.number(Statement("select count(*) from token_owner"))
        #expect(owners == 0)
        let list = try await store.activities.list(ActivityChoice(.device(device(1))), limit: 10).activities
        #expect(list.map(\.state) == [.ended] && list.first?.endReason == .operator && list.first?.route == nil)

        // Calls that a node had admitted before it read of the block.
        #expect(try await Self.set(.alert, 10, of: 1, seq: 2, in: store) == .unknownDevice)
        let other = ActivityRegistration(
            device: device(1),
            match: .other,
            activityID: ActivityID(unchecked: "B"),
            environment: .sandbox,
            route: .token(try token(22)),
            startedAt: store.time.now,
            clientSequence: 2
        )
        #expect(try await store.activities.register(other) == .unknownDevice)
        let others = try await store.activities.list(ActivityChoice(.device(device(2))), limit: 10).activities
        #expect(others.map(\.state) == [.active])

        #expect(try await store.devices.unblock(device(1)))
        #expect(try await store.devices.authenticate(device(1))?.isBlocked == false)
        #expect(try await Self.set(.alert, 10, of: 1, seq: 3, in: store) == .stored(generation: 2))
        #expect(try await store.activities.register(other) == .registered(generation: 1))
        let unblocked = try #require(try await store.devices.detail(of: device(1)))
        #expect(unblocked.blockedAt == nil && unblocked.device.movedTokens == [.pushToStart, .widget])
        #expect(try await store.devices.block(device(3)) == nil)
        #expect(try await store.devices.unblock(device(3)) == false)
    }

    /// A node that dies after the commit of a block leaves what a registration under way has written.
    @Test func aSweepEndsWhatARegistrationLeftOnABlockedDevice() async throws {
        let store = try await Store()
        let erased = ErasedDevices(pool: store.pool, clock: store.time.clock())
        try await Self.add(store, 1, 2)
        for number in [1, 2] as [UInt64] {
            try await store.register(number, seq: 1, route: .token(try token(number)))
        }
        #expect(try await store.devices.block(device(1)) != nil)
        try await store.script("update activity set state = 1, token = '\\x01'")
        let left = try await erased.endLeft()
        #expect(left.map(\.device) == [device(1)] && left.map(\.reason) == [.operator])
    }

    @Test func aRevokedCredentialIsWorthNothing() async throws {
        let store = try await Store()
        try await Self.add(store, 1)
        #expect(try await Self.set(.alert, 10, of: 1, seq: 1, in: store) == .stored(generation: 1))
        #expect(try await store.devices.revoke(device(1)))
        let credential = try #require(try await store.devices.authenticate(device(1)))
        #expect(credential == StoredCredential(hash: []))
        let rotation = CredentialRotation(
            device: device(1),
            presented: Self.hash,
            key: [1],
            salt: [2],
            renewed: [3]
        )
        #expect(try await store.devices.rotate(rotation) == .invalid)
        let detail = try #require(try await store.devices.detail(of: device(1)))
        #expect(detail.isRevoked && detail.device.alertToken != nil, "pushes go on until the app registers again")
        #expect(try await store.devices.revoke(device(2)) == false)
    }

    @Test func everyChangeOfAccessIsListedWithItsEffect() async throws {
        let store = try await Store()
        try await Self.add(store, 1, 2, 3, 4, 5)
        let began = store.time.now
        store.time.advance(by: .seconds(10))
        _ = try await store.devices.block(device(1))
        _ = try await store.devices.revoke(device(2))
        _ = try await store.devices.erase(device(3))
        _ = try await store.devices.block(device(4))
        _ = try await store.devices.unblock(device(4))
        _ = try await store.devices.setTester(device(5), true)
        let changed = try await store.devices.changedAccess(since: began, limit: 10)
        let refused = Dictionary(changed.map { ($0.device, $0.isRefused) }) { $1 }
        #expect(refused == [device(1): true, device(2): true, device(3): true, device(4): false])
        #expect(try await store.devices.changedAccess(since: began, limit: 2).count == 2)
        store.time.advance(by: .seconds(10))
        #expect(try await store.devices.changedAccess(since: store.time.now, limit: 10).isEmpty)
    }

    @Test func aTesterIsOneUntilAnOperatorSaysOtherwise() async throws {
        let store = try await Store()
        try await Self.add(store, 1)
        #expect(try await store.devices.setTester(device(1), true))
        let since = store.time.now
        store.time.advance(by: .seconds(60))
        #expect(try await store.devices.setTester(device(1), true))
        #expect(try await store.devices.detail(of: device(1))?.testerAt == since)
        #expect(try await store.devices.setTester(device(1), false))
        #expect(try await store.devices.detail(of: device(1))?.testerAt == nil)
        #expect(try await store.devices.setTester(device(2), true) == false)
    }

    @Test func aFingerprintFindsTheDevicesOfTheToken() async throws {
        let store = try await Store()
        try await Self.add(store, 1, 2)
        #expect(try await Self.set(.alert, 10, of: 1, seq: 1, in: store) == .stored(generation: 1))
        #expect(try await Self.set(.pushToStart, 10, of: 2, seq: 1, in: store) == .stored(generation: 1))
        #expect(try await Self.set(.widget, 12, of: 2, seq: 1, in: store) == .stored(generation: 1))
        let shared = try await store.devices.owners(of: Self.fingerprint(of: try token(10).bytes, store))
        let found = Set([
            FoundToken(device: device(1), kind: .alert), FoundToken(device: device(2), kind: .pushToStart),
        ])
        #expect(Set(shared) == found)
        let widget = try await store.devices.owners(of: Self.fingerprint(of: try token(12).bytes, store))
        #expect(widget == [FoundToken(device: device(2), kind: .widget)])
        let unknown = try #require(Fingerprint("ffffffffffff"))
        #expect(try await store.devices.owners(of: unknown).isEmpty)
        #expect(
            try await store.devices.builds(of: [device(1), device(2), device(9)]) == [device(1): "41", device(2): "42"]
        )
    }

    /// The fingerprint as PostgreSQL and the logs compute it.
    static func fingerprint(of bytes: [UInt8], _ store: Store) async throws -> Fingerprint {
        let rows = try await store.pool.query(Statement("select sha256($1)"), [.bytes(bytes)]) { try $0.bytes(0) }
        let digest = try #require(rows.first)
        return try #require(Fingerprint(sha256: digest))
    }

    @Test func aReconcileIsNotedOnceAnHour() async throws {
        let store = try await Store()
        try await Self.add(store, 1)
        #expect(try await store.devices.detail(of: device(1))?.reconciledAt == nil)
        let first = store.time.now
        for (minutes, expected) in [(0, 0), (59, 0), (2, 61)] {
            store.time.advance(by: .seconds(60 * minutes))
            _ = try await store.activities.reconcile(device: device(1), reported: [], clientSequence: 1)
            let noted = try await store.devices.detail(of: device(1))?.reconciledAt
            #expect(noted == first + .seconds(60 * expected))
        }
    }
}
