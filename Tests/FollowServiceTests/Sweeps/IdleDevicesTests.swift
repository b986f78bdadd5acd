// Devices whose app makes no call are erased; one that follows a match or shows an activity stays.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct IdleDevicesTests {
    private static let age = Duration.seconds(400 * 86_400)

    private func add(_ store: Store, _ number: UInt64) async throws {
        let isNew = try await store.devices.register(
            NewDevice(
                device: device(number),
                environment: .sandbox,
                bundleID: "dev.score.app",
                abilities: [.activities],
                profile: DeviceProfile(model: "iPhone17,1"),
                credentialHash: [1, 2, 3]
            )
        )
        #expect(isNew)
    }

    private func erased(_ store: Store) async throws -> [UInt64] {
        try await (1...5 as ClosedRange<UInt64>).asyncFilter { try await store.devices.find(device($0)) == nil }
    }

    @Test("S58: only an idle device is erased") func onlyAnIdleDeviceIsErased() async throws {
        let store = try await Store()
        let idle = IdleDevices(pool: store.pool, clock: store.time.clock(), devices: store.devices)
        for number in 1...5 as ClosedRange<UInt64> { try await add(store, number) }
        store.time.advance(by: Self.age)
        #expect(try await idle.count(unusedFor: Self.age, in: Bucket.all, limit: 10) == 0, "to the second")
        store.time.advance(by: .seconds(1))
        // Phone 2 follows a match, phone 3 shows an activity, phone 4 made a call, phone 5 followed once.
        _ = try await store.follows.put(FollowSettings(match: .final), of: device(2), clientSequence: 1)
        _ = try await store.activities.register(
            ActivityRegistration(
                device: device(3),
                match: .final,
                activityID: ActivityID(unchecked: "A"),
                environment: .sandbox,
                route: .token(try token(3)),
                startedAt: store.time.now,
                clientSequence: 1
            )
        )
        let credential = try #require(try await store.devices.authenticate(device(4)))
        #expect(credential.isUseDue)
        try await store.devices.noteUse(of: device(4))
        #expect(try await store.devices.authenticate(device(4))?.isUseDue == false, "once a week")
        _ = try await store.follows.put(FollowSettings(match: .final), of: device(5), clientSequence: 1)
        _ = try await store.follows.remove(.final, of: device(5), clientSequence: 2)

        #expect(try await idle.count(unusedFor: Self.age, in: Bucket.all, limit: 10) == 2)
        #expect(try await erased(store) == [])
        #expect(try await idle.erase(unusedFor: Self.age, in: Bucket.all, limit: 1) == 1, "in steps")
        #expect(try await idle.erase(unusedFor: Self.age, in: Bucket.all, limit: 10) == 1)
        #expect(try await erased(store) == [1, 5])
        #expect(try await idle.erase(unusedFor: Self.age, in: Bucket.all, limit: 10) == 0)
    }

    @Test func allBucketsAreAmongThoseOfTwoDays() async throws {
        let store = try await Store()
        let idle = IdleDevices(pool: store.pool, clock: store.time.clock(), devices: store.devices)
        var seen: Set<Bucket> = []
        for _ in 0..<86 {
            seen.formUnion(idle.currentBuckets)
            store.time.advance(by: .seconds(3600))
        }
        #expect(seen.count == Bucket.count)
    }
}

extension Sequence {
    fileprivate func asyncFilter(_ condition: (Element) async throws -> Bool) async throws -> [Element] {
        var kept: [Element] = []
        for element in self where try await condition(element) { kept.append(element) }
        return kept
    }
}
