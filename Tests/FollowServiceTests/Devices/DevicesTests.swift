import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import FollowService

@Suite struct DevicesTests {
    private let one = device(1)

    private func register(_ store: Store) async throws {
        let isNew = try await store.devices.register(
            NewDevice(
                device: one,
                environment: .sandbox,
                bundleID: "dev.score.app",
                abilities: [.activities, .alerts],
                profile: DeviceProfile(model: "iPhone17,1"),
                credentialHash: [1, 2, 3]
            )
        )
        #expect(isNew)
    }

    @Test func aDeviceIsReadPatchedAndErased() async throws {
        let store = try await Store()
        try await register(store)
        #expect(try await store.devices.authenticate(one) == StoredCredential(hash: [1, 2, 3]))
        #expect(try await store.devices.authenticate(device(2)) == nil)
        let patch = DevicePatch(
            enabled: [.channels],
            disabled: [.activities, .alerts],
            profile: DeviceProfile(stringsVersion: 1)
        )
        let changed = try #require(try await store.devices.patch(one, patch))
        #expect(changed.abilities == [.channels])
        #expect(changed.profile == DeviceProfile(model: "iPhone17,1", stringsVersion: 1))
        _ = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 1)
        _ = try await store.activities.register(
            ActivityRegistration(
                device: one,
                match: .final,
                activityID: ActivityID(unchecked: "A"),
                environment: .sandbox,
                route: .token(token(1)),
                startedAt: store.time.now,
                clientSequence: 1
            )
        )
        let ended = try #require(try await store.devices.erase(one))
        #expect(ended.map(\.route) == [.token(try token(1))], "the last push needs the token")
        #expect(try await store.devices.find(one) == nil)
        #expect(try await store.follows.list(one).isEmpty)
        let left = Statement("select count(*) from activity where octet_length(token) > 0")
        #expect(try await store.number(left) == 0)
        #expect(try await store.devices.erase(one) == nil)
    }

    @Test("C16: credentials of invented devices are read together with those of real ones, on one connection")
    func manyCredentialsAreReadTogether() async throws {
        let store = try await Store()
        try await register(store)
        let locker = try await Connection.open(store.info, name: "locker")
        try await locker.script(
            "set idle_in_transaction_session_timeout = 0; begin; lock table device in access exclusive mode"
        )
        let waiting = Statement(
            """
            select count(*) from pg_stat_activity
            where datname = current_database() and application_name = 'follow-test' and wait_event_type = 'Lock'
            """
        )
        let begun = Mutex(0)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number: UInt64 in 1...1_000 {
                group.addTask { @Sendable in
                    begun.withLock { $0 += 1 }
                    let credential = try await store.devices.authenticate(device(number))
                    #expect(credential?.hash == (number == 1 ? [1, 2, 3] : nil))
                }
            }
            try await eventually("all have begun, and one waits for the table") {
                try await store.number(waiting) > 0 && begun.withLock { $0 == 1_000 }
            }
            #expect(try await store.number(waiting) == 1)
            try await locker.script("rollback")
            try await group.waitForAll()
        }
        await locker.close()
    }

    @Test func eachTokenHasItsOwnSequenceAndTheNewestCallApplies() async throws {
        let store = try await Store()
        func set(_ kind: DeviceTokenKind, _ token: PushToken?, seq: Int64) async throws -> DeviceTokenOutcome {
            try await store.devices.setToken(
                DeviceTokenRegistration(
                    device: one,
                    kind: kind,
                    token: token,
                    environment: .production,
                    clientSequence: seq
                )
            )
        }
        #expect(try await set(.alert, token(1), seq: 1) == .unknownDevice)
        try await register(store)
        #expect(try await set(.pushToStart, token(2), seq: 6) == .stored(generation: 1))
        #expect(try await set(.alert, token(1), seq: 5) == .stored(generation: 1), "the other sequence is not its own")
        #expect(try await set(.alert, token(1), seq: 5) == .unchanged(generation: 1))
        #expect(try await set(.alert, token(3), seq: 4) == .outdated(generation: 1, clientSequence: 5))
        #expect(try await set(.alert, token(3), seq: 7) == .stored(generation: 2))
        let held = try #require(try await store.devices.find(one))
        let (second, third) = (try token(2), try token(3))
        #expect(held.alertToken?.token == third && held.startToken?.token == second)
        #expect(held.environment == .production)
        let now = store.time.now
        func evict(_ generation: Int32, _ deadAt: Instant?) async throws -> Int {
            try await store.devices.evictTokens(
                .alert,
                [RejectedToken(match: .final, device: one, generation: generation, deadAt: deadAt)]
            )
        }
        #expect(try await evict(1, now) == 0, "an old generation")
        #expect(try await evict(2, now + .seconds(-1)) == 0, "an old time")
        #expect(try await evict(2, now) == 1)
        #expect(try await store.devices.find(one)?.alertToken == nil)
        #expect(try await set(.pushToStart, nil, seq: 8) == .stored(generation: 2))
        #expect(try await store.devices.find(one)?.startToken == nil)
    }
}
