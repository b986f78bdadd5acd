// What an app registered decides what its activities are sent: kept in the database, read back where tokens are walked.

import FollowService
import LiveActivities
import MatchEngine
import Postgres
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct ContentVariantTests {
    private static let match = MatchID(unchecked: "mi-csk")
    private static let ownType = "LiveActivityAttributes"

    private struct Rooms {
        let pool: Pool
        /// Follows the changes of tokens, as arenas need it.
        let following: Task<Void, Never>
        let follow: FollowerStores
        let devices: DeviceJoin
        let activities: ActivityJoin

        init() async throws {
            let info = try await ScratchDatabase.make()
            let clock = ServiceClock()
            pool = Pool(info, size: 2, name: "variant-test")
            let arenas = ArenaIndex(info: info, pool: pool, clock: clock)
            following = Task { await arenas.run() }
            follow = FollowerStores(pool: pool, clock: clock, arenas: arenas)
            devices = DeviceJoin(devices: follow.devices, follows: follow.follows, attributesType: ownType) { _ in }
            activities = ActivityJoin(
                activities: follow.activities,
                devices: follow.devices,
                attributesType: ownType,
                receipts: ReceiptMonitor(clock: clock)
            )
        }

        func stop() async {
            following.cancel()
            await following.value
            await pool.close()
        }
    }

    private static func phone(_ number: UInt64) -> DeviceID { DeviceID(high: 7, low: number) }

    private func register(_ rooms: Rooms, _ number: UInt64, versions: [Int64]) async throws {
        let profile = DeviceProfile(
            platform: "ios",
            bundleID: "app",
            appBuild: "1",
            osVersion: "17.4",
            environment: .sandbox,
            schemaVersions: versions,
            abilities: ScoreServer.DeviceAbilities()
        )
        try await rooms.devices.register(
            ScoreServer.NewDevice(
                id: Self.phone(number),
                credentialHash: [1],
                profile: profile,
                createdAt: Instant(milliseconds: 0)
            )
        )
    }

    private func activity(
        _ rooms: Rooms,
        _ number: UInt64,
        type: String? = nil,
        version: Int64? = nil,
        sequence: Int64 = 1
    ) async throws {
        let bytes = [UInt8](repeating: UInt8(number), count: 32)
        let report = ActivityReport(
            device: Self.phone(number),
            activity: ActivityID(unchecked: "A\(number)"),
            match: Self.match,
            environment: .sandbox,
            route: .token(try #require(PushToken(bytes: bytes))),
            startedAt: ServiceClock().wall,
            startedBy: .app,
            attributesType: type,
            schemaVersion: version,
            knownRevision: 0,
            clientSequence: sequence
        )
        _ = try await rooms.activities.register(report)
    }

    private func walked(_ rooms: Rooms) async throws -> [UInt64: ActivityVariant] {
        try await rooms.follow.arenas.own(Bucket.all)
        try await rooms.follow.arenas.open(Self.match)
        var found: [UInt64: ActivityVariant] = [:]
        for bucket in rooms.follow.arenas.buckets(of: Self.match) {
            _ = rooms.follow.arenas.slice(match: Self.match, bucket: bucket) { slice in
                slice.forEach { found[$0.device.low] = $0.variant }
            }
        }
        rooms.follow.arenas.close(Self.match)
        return found
    }

    @Test func anActivityIsSentWhatItsAppRegistered() async throws {
        let rooms = try await Rooms()
        for (number, versions) in [(1, [1]), (2, [1, 2]), (3, [2, 9]), (4, [9]), (5, [1, 2])] as [(UInt64, [Int64])] {
            try await register(rooms, number, versions: versions)
            try await activity(rooms, number, type: number == 5 ? SurfaceRenderer.attributesType : nil)
        }
        let walked = try await walked(rooms)
        #expect(walked == [1: .own, 2: .ownNewest, 3: .ownNewest, 4: .own, 5: .portable])
        await rooms.stop()
    }

    @Test func anActivityMaySayOtherwiseThanItsDevice() async throws {
        let rooms = try await Rooms()
        try await register(rooms, 1, versions: [1, 2])
        try await activity(rooms, 1, version: 1)
        #expect(try await walked(rooms) == [1: .own])
        try await activity(rooms, 1, version: 7, sequence: 2)
        #expect(try await walked(rooms) == [1: .ownNewest], "a later app reads every older layout")
        await rooms.stop()
    }

    @Test func aDeviceIsShownTheVersionsThatItNamed() async throws {
        let rooms = try await Rooms()
        try await register(rooms, 1, versions: [1, 2, 9])
        #expect(try await rooms.devices.find(Self.phone(1))?.profile.schemaVersions == [1, 2, 9])
        let view = try await rooms.devices.patch(Self.phone(1), DevicePatch(schemaVersions: [1]), if: IfMatch(nil))
        #expect(view?.profile.schemaVersions == [1])
        try await activity(rooms, 1)
        #expect(try await walked(rooms) == [1: .own])
        await rooms.stop()
    }
}
