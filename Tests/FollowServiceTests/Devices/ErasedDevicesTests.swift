import FollowService
import Postgres
import ScoreTypes
import Testing

@Suite struct ErasedDevicesTests {
    private func add(_ store: Store, _ number: UInt64) async throws -> Bool {
        try await store.devices.register(
            NewDevice(
                device: device(number),
                environment: .sandbox,
                bundleID: "dev.score.app",
                abilities: [.activities, .alerts],
                profile: Array(#"{"model":"iPhone17,1"}"#.utf8),
                credentialHash: [1, 2, 3]
            )
        )
    }

    private func registration(_ store: Store, _ number: UInt64) throws -> ActivityRegistration {
        ActivityRegistration(
            device: device(number),
            match: .final,
            activityID: ActivityID(unchecked: "A-\(number)"),
            environment: .sandbox,
            route: .token(try token(number)),
            startedAt: store.time.now,
            clientSeq: 1
        )
    }

    /// One batch holds calls of erased devices and of others.
    @Test func anErasedDeviceIsRefusedAndTheOthersOfItsBatchAreNot() async throws {
        let store = try await Store()
        for number in 1...40 as ClosedRange<UInt64> { #expect(try await add(store, number)) }
        for number in 1...20 as ClosedRange<UInt64> { #expect(try await store.devices.erase(device(number)) != nil) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...40 as ClosedRange<UInt64> {
                let call = try registration(store, number)
                group.addTask {
                    let shown = try await store.activities.register(call)
                    #expect(shown == (number <= 20 ? .unknownDevice : .registered(generation: 1)), "\(number)")
                }
                group.addTask {
                    let wish = FollowWish(match: .final)
                    let followed = try await store.follows.put(wish, of: device(number), clientSeq: 1)
                    #expect((followed == .unknownDevice) == (number <= 20), "\(number)")
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.follows.remove(.other, of: device(1), clientSeq: 2) == .unknownDevice)
        #expect(try await store.follows.replaceAll([], of: device(1), clientSeq: 3) == .unknownDevice)
        #expect(try await store.number(Statement("select count(*) from activity")) == 20)
        #expect(try await store.number(Statement("select count(*) from follow")) == 20)
        let unknown = try await store.activities.register(registration(store, 41))
        #expect(unknown == .registered(generation: 1), "a device is looked for among the erased ones")
    }

    @Test func nothingButAMarkIsLeftAndThatForAMonth() async throws {
        let store = try await Store()
        let erased = ErasedDevices(pool: store.pool, clock: store.time.clock)
        #expect(try await add(store, 1))
        let wish = DeviceTokenWish(
            device: device(1),
            kind: .alert,
            token: try token(1),
            environment: .sandbox,
            clientSeq: 1
        )
        #expect(try await store.devices.setToken(wish) == .stored(generation: 1))
        #expect(try await store.devices.erase(device(1)) != nil)
        #expect(try await store.devices.erase(device(1)) == nil)
        #expect(try await store.devices.setToken(wish) == .unknownDevice)
        #expect(try await store.devices.authenticate(device(1)) == nil)
        #expect(try await store.devices.patch(device(1), DevicePatch(abilities: [.alerts])) == nil)
        let left = Statement(
            """
            select octet_length(credential_hash) || bundle_id || profile::text || abilities || (alert_token is null)
            from device
            """
        )
        #expect(try await store.pool.query(left) { try $0.text(0) } == ["0{}0true"])
        store.time.advance(by: ErasedDevices.keptMax)
        #expect(try await erased.clear() == 0)
        store.time.advance(by: .seconds(1))
        #expect(try await erased.clear() == 1)
        #expect(try await store.number(Statement("select count(*) from device")) == 0)
    }
}
