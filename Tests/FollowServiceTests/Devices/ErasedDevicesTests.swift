import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct ErasedDevicesTests {
    private func add(_ store: Store, _ number: UInt64) async throws -> Bool {
        try await store.devices.register(
            NewDevice(
                device: device(number),
                environment: .sandbox,
                bundleID: "dev.score.app",
                abilities: [.activities, .frequentPushes, .alerts],
                profile: DeviceProfile(model: "iPhone17,1"),
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
            clientSequence: 1
        )
    }

    /// One batch holds calls of erased devices and of others.
    @Test func aBatchRefusesOnlyItsErasedDevices() async throws {
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
                    let wish = FollowSettings(match: .final)
                    let followed = try await store.follows.put(wish, of: device(number), clientSequence: 1)
                    #expect((followed == .unknownDevice) == (number <= 20), "\(number)")
                }
            }
            try await group.waitForAll()
        }
        #expect(try await store.follows.remove(.other, of: device(1), clientSequence: 2) == .unknownDevice)
        #expect(try await store.follows.replaceAll([], of: device(1), clientSequence: 3) == .unknownDevice)
        #expect(try await store.number(Statement("select count(*) from activity")) == 20)
        #expect(try await store.number(Statement("select count(*) from follow")) == 20)
        let unknown = try await store.activities.register(registration(store, 41))
        #expect(unknown == .registered(generation: 1), "erased devices are read by an index")
    }

    @Test("S57: an erased device leaves only a mark, for a month")
    func anErasedDeviceLeavesOnlyAMarkForAMonth() async throws {
        let store = try await Store()
        let erased = ErasedDevices(pool: store.pool, clock: store.time.clock())
        #expect(try await add(store, 1))
        let wish = DeviceTokenRegistration(
            device: device(1),
            kind: .alert,
            token: try token(1),
            environment: .sandbox,
            clientSequence: 1
        )
        #expect(try await store.devices.setToken(wish) == .stored(generation: 1))
        #expect(try await store.devices.erase(device(1)) != nil)
        #expect(try await store.devices.erase(device(1)) == nil)
        #expect(try await store.devices.setToken(wish) == .unknownDevice)
        #expect(try await store.devices.authenticate(device(1)) == nil)
        #expect(try await store.devices.patch(device(1), DevicePatch(enabled: [.alerts])) == nil)
        let left = Statement(
            """
            select octet_length(credential_hash) || bundle_id || profile::text || abilities || (alert_token is null)
            from device
            """
        )
        #expect(try await store.pool.query(left) { try $0.text(0) } == ["0{}0true"])
        store.time.advance(by: FollowLimits.erasedDeviceAge)
        #expect(try await erased.clear() == 0)
        store.time.advance(by: .seconds(1))
        #expect(try await erased.clear() == 1)
        #expect(try await store.number(Statement("select count(*) from device")) == 0)
    }

    /// A node that dies between an erasure and its second check leaves a concurrent registration.
    @Test func theSweepEndsActivitiesOfErasedDevices() async throws {
        let store = try await Store()
        let erased = ErasedDevices(pool: store.pool, clock: store.time.clock())
        for number in 1...3 as ClosedRange<UInt64> {
            #expect(try await add(store, number))
            if number < 3 { #expect(try await store.devices.erase(device(number)) != nil) }
        }
        try await store.script("update device set erased_at = null where erased_at is not null")
        for number in 1...3 as ClosedRange<UInt64> {
            let registered = try await store.activities.register(registration(store, number))
            #expect(registered == .registered(generation: 1))
        }
        let mark = Statement("update device set erased_at = $1, access_at = $1 where device_id = $2")
        for (number, age) in [(1, 60), (2, 7200)] as [(UInt64, Int64)] {
            let at = store.time.now + .seconds(-age)
            try await store.pool.execute(mark, [.timestamp(at), .uuid(device(number))])
        }
        let changes = try await store.number(Statement("select count(*) from change"))
        let last = try await erased.endLeft()
        let route = ActivityRoute.token(try token(1))
        #expect(last.map(\.device) == [device(1)] && last.map(\.route) == [route], "for a last push")
        let ended = Statement("select device_id from activity where state = 3 and token = '' and end_reason = 'erased'")
        #expect(try await store.pool.query(ended) { try $0.uuid(0) } == [device(1)], "old erasures were checked before")
        #expect(try await store.number(Statement("select count(*) from change")) == changes + 1, "arenas read it")
        #expect(try await erased.endLeft().isEmpty)
        #expect(try await erased.clear() == 0)
    }
}
