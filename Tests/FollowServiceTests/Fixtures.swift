// The tests of the follow store share this database, its clock, and seeded random numbers.

import ScoreTypes
import TestSupport
import Testing

@testable import FollowService
@testable import Postgres

extension SplitMix64 {
    /// Prints the seed of a run, so that a failure can be repeated.
    static func printed(_ name: String, seed: UInt64 = .random(in: 0...UInt64.max)) -> SplitMix64 {
        print("\(name): seed \(seed)")
        return SplitMix64(seed: seed)
    }
}

/// A fresh database with the stores that use it.
struct Store {
    let info: ConnectionInfo
    let pool: Pool
    static let start = Instant(milliseconds: 1_790_000_000_000)
    let time = ManualClock(wallAtZero: start)
    let activities: Activities
    let follows: Follows
    let devices: Devices

    init() async throws { self.init(on: try await ScratchDatabase.make()) }

    /// Limits that a machine which pauses for a while does not reach.
    static let patient = Pool.Bounds(waitMax: .seconds(60), statementTimeout: .seconds(60))

    init(on info: ConnectionInfo, bounds poolBounds: Pool.Bounds = patient) {
        self.info = info
        pool = Pool(info, size: 4, name: "follow-test", bounds: poolBounds)
        // Batches end by real time even while the test's clock is stopped.
        let bounds = BatchBounds(rowsMax: 100, gatherMax: .milliseconds(2))
        activities = Activities(pool: pool, clock: time.clock(), bounds: bounds)
        follows = Follows(pool: pool, clock: time.clock(), bounds: bounds)
        devices = Devices(pool: pool, clock: time.clock(), bounds: bounds)
    }

    /// Statements of tests are never built from outside text.
    func script(_ sql: String) async throws {
        try await pool.withConnection { try $0.script(embedded: sql) }
    }

    /// Lets the device of a number show the match `final`.
    func register(_ number: UInt64, seq: Int64, route: ActivityRoute, knownRev: Int64 = 0) async throws {
        let call = ActivityRegistration(
            device: device(number),
            match: .final,
            activityID: ActivityID(unchecked: "A"),
            environment: .sandbox,
            route: route,
            knownRev: knownRev,
            startedAt: time.now,
            clientSequence: seq
        )
        _ = try await activities.register(call)
    }

    /// Registers the device of a number, with some of its tokens.
    func registerDevice(
        _ number: UInt64,
        abilities: DeviceAbilities = [.activities, .alerts],
        tokens: [DeviceTokenKind] = [.pushToStart]
    ) async throws {
        _ = try await devices.register(
            NewDevice(
                device: device(number),
                environment: .sandbox,
                bundleID: "app",
                abilities: abilities,
                credentialHash: [1]
            )
        )
        for kind in tokens {
            _ = try await devices.setToken(
                DeviceTokenRegistration(
                    device: device(number),
                    kind: kind,
                    token: token(number),
                    environment: .sandbox,
                    clientSequence: 1
                )
            )
        }
    }

    /// A channel of the match `final` that is created now.
    func channelRecord(_ channel: ChannelID, generation: Int32 = 1) -> ChannelRecord {
        ChannelRecord(
            match: .final,
            environment: .sandbox,
            attributesType: "T",
            profile: .loud,
            generation: generation,
            channel: channel,
            createdAt: time.now
        )
    }

    func number(_ statement: Statement, _ binds: [Bind] = []) async throws -> Int64 {
        try await pool.query(statement, binds) { try $0.int(0) }.first ?? -1
    }
}

extension Devices {
    /// Changes a device, whatever is stored; nil when there is none.
    func patch(_ device: DeviceID, _ patch: DevicePatch) async throws -> DeviceRecord? {
        guard case .changed(let record) = try await self.patch(device, { _ in patch }) else { return nil }
        return record
    }
}

/// The device of a number, spread over the buckets like any other.
func device(_ number: UInt64) -> DeviceID {
    var generator = SplitMix64(seed: number)
    return DeviceID(using: &generator)
}

func token(_ number: UInt64, count: Int = 80) throws -> PushToken {
    var generator = SplitMix64(seed: number)
    return try #require(PushToken(bytes: (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }))
}

extension MatchID {
    static let final = MatchID(unchecked: "final-2025")
    static let other = MatchID(unchecked: "other-1")
}

extension ArenaIndex {
    /// Evicts a token and waits until its activity has ended in the table.
    func write(_ rejected: RejectedToken) async throws {
        evict(rejected)
        try await eventually("the eviction is written") { status.evictionsWaiting == 0 }
    }
}
