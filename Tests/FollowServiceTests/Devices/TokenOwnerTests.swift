// A push token belongs to one device, whichever nodes its devices call.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite(.timeLimit(.minutes(2))) struct TokenOwnerTests {
    private static let owners = Statement("select count(*) from token_owner")
    /// Tokens that several devices have.
    private static let shared = Statement(
        """
        select count(*) from (
            select 1 from device where alert_token is not null group by alert_token having count(*) > 1
        ) s
        """
    )
    /// Devices with a token that they do not own.
    private static let unowned = Statement(
        """
        select count(*) from device d where d.alert_token is not null and not exists (
            select 1 from token_owner o
            where o.device_id = d.device_id
              and o.digest = substr(sha256(d.alert_token), 1, 15) || 'a'::bytea)
        """
    )
    private static let holders = Statement("select count(*) from device where alert_token is not null")

    private static func register(_ numbers: ClosedRange<UInt64>, in store: Store) async throws {
        for number in numbers {
            let new = NewDevice(
                device: device(number),
                environment: .sandbox,
                bundleID: "app",
                abilities: [.activities, .alerts],
                credentialHash: [1]
            )
            #expect(try await store.devices.register(new))
        }
    }

    private static func set(
        _ token: PushToken?,
        as kind: DeviceTokenKind = .alert,
        of number: UInt64,
        seq: Int64,
        in store: Store
    ) async throws -> DeviceTokenOutcome {
        try await store.devices.setToken(
            DeviceTokenRegistration(
                device: device(number),
                kind: kind,
                token: token,
                environment: .sandbox,
                clientSequence: seq
            )
        )
    }

    @Test("C13, S46: a token moves to the newer device and marks the older one", arguments: DeviceTokenKind.allCases)
    func aTokenMoves(kind: DeviceTokenKind) async throws {
        let store = try await Store()
        try await Self.register(1...3, in: store)
        let moving = try token(1)
        #expect(try await Self.set(moving, as: kind, of: 1, seq: 1, in: store) == .stored(generation: 1))
        for number in [1, 3] as [UInt64] {
            try await store.register(number, seq: 1, route: .token(try token(number + 10)))
        }
        #expect(try await Self.set(moving, as: kind, of: 2, seq: 1, in: store) == .stored(generation: 1))
        let old = try #require(try await store.devices.find(device(1)))
        #expect(old.token(kind) == nil && old.movedTokens == [kind])
        let new = try #require(try await store.devices.find(device(2)))
        #expect(new.token(kind)?.token == moving && new.movedTokens == [])
        let ended = Statement("select device_id from activity where state = 3 and end_reason = 'moved' and token = ''")
        #expect(try await store.pool.query(ended) { try $0.uuid(0) } == [device(1)], "another device's goes on")
        let changes = Statement("select count(*) from change where devices = array[$1::uuid]")
        #expect(try await store.number(changes, [.uuid(device(1))]) == 2, "the arenas remove the activity")
        let shown = ReportedActivity(activityID: ActivityID(unchecked: "A"), match: .final)
        let answer = try await store.activities.reconcile(device: device(1), reported: [shown], clientSequence: 2)
        #expect(answer.movedTokens == [kind] && answer.unknownTokens.map(\.text) == ["A"] && answer.end.isEmpty)
        #expect(try await Self.set(moving, as: kind, of: 1, seq: 1, in: store) == .unchanged(generation: 1))
        #expect(try await store.devices.find(device(2))?.token(kind)?.token == moving, "a retry takes nothing back")

        #expect(try await Self.set(moving, as: kind, of: 1, seq: 2, in: store) == .stored(generation: 2))
        #expect(try await store.devices.find(device(1))?.movedTokens == [])
        #expect(try await store.devices.find(device(2))?.movedTokens == [kind])
        #expect(try await store.number(Self.owners) == 1)
    }

    @Test func aTokenIsFreeOnceItsDeviceHasItNoMore() async throws {
        let store = try await Store()
        try await Self.register(1...2, in: store)
        func set(_ number: UInt64?, seq: Int64) async throws -> Int64 {
            _ = try await Self.set(try number.map { try token($0) }, of: 1, seq: seq, in: store)
            return try await store.number(Self.owners)
        }
        #expect(try await set(1, seq: 1) == 1)
        #expect(try await set(2, seq: 2) == 1, "replaced")
        #expect(try await set(nil, seq: 3) == 0, "removed")
        #expect(try await set(3, seq: 4) == 1)
        let rejected = RejectedToken(match: .final, device: device(1), generation: 4, deadAt: nil)
        #expect(try await store.devices.evictTokens(.alert, [rejected]) == 1)
        #expect(try await store.number(Self.owners) == 0, "rejected")
        #expect(try await set(4, seq: 5) == 1)
        #expect(try await set(5, seq: 4) == 1, "an outdated call claims nothing")
        #expect(try await Self.set(try token(5), of: 2, seq: 1, in: store) == .stored(generation: 1))
        #expect(try await store.devices.find(device(1))?.movedTokens == [])
        _ = try await Self.set(try token(6), as: .pushToStart, of: 1, seq: 1, in: store)
        #expect(try await store.number(Self.owners) == 3)
        #expect(try await store.devices.erase(device(1)) != nil)
        #expect(try await store.number(Self.owners) == 1, "erased")
    }

    @Test("a token that APNs has rejected is requested again", arguments: DeviceTokenKind.allCases)
    func aRejectedTokenIsRequestedAgain(kind: DeviceTokenKind) async throws {
        let store = try await Store()
        try await Self.register(1...1, in: store)
        func evict(_ generation: Int32) async throws -> Int {
            let rejected = RejectedToken(match: .final, device: device(1), generation: generation, deadAt: nil)
            return try await store.devices.evictTokens(kind, [rejected])
        }
        func requested(_ sequence: Int64) async throws -> [DeviceTokenKind] {
            try await store.activities.reconcile(device: device(1), reported: [], clientSequence: sequence).movedTokens
        }
        _ = try await Self.set(try token(1), as: kind, of: 1, seq: 1, in: store)
        #expect(try await evict(0) == 0)
        #expect(try await requested(1) == [], "a newer token stays")
        #expect(try await evict(1) == 1)
        #expect(try await requested(2) == [kind])
        #expect(try await Self.set(try token(1), as: kind, of: 1, seq: 2, in: store) == .stored(generation: 2))
        #expect(try await requested(3) == [])
    }

    @Test("C13: forty devices that register one token at two nodes leave it with one of them")
    func twoNodesAgreeOnOneOwner() async throws {
        let first = try await Store()
        let second = Store(on: first.info)
        try await Self.register(1...40, in: first)
        for round in 1...5 as ClosedRange<Int64> {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...40 as ClosedRange<UInt64> {
                    let node = number.isMultiple(of: 2) ? first : second
                    group.addTask {
                        let outcome = try await Self.set(try token(7), of: number, seq: round, in: node)
                        guard case .stored = outcome else { throw FollowError.stopped }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await first.number(Self.holders) == 1)
            #expect(try await first.number(Self.unowned) == 0)
            #expect(try await first.number(Self.owners) == 1)
        }
    }

    @Test("C13: devices that exchange tokens at two nodes never share one") func exchangedTokensAreNeverShared()
        async throws
    {
        var generator = SplitMix64.printed("exchanged tokens")
        let first = try await Store()
        let second = Store(on: first.info)
        try await Self.register(1...6, in: first)
        for round in 1...40 as ClosedRange<Int64> {
            let tokens = (0..<6).map { _ in UInt64.random(in: 1...6, using: &generator) }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (place, number) in tokens.enumerated() {
                    let node = (place + Int(round)).isMultiple(of: 2) ? first : second
                    group.addTask {
                        _ = try await Self.set(try token(number), of: UInt64(place + 1), seq: round, in: node)
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await first.number(Self.shared) == 0)
            #expect(try await first.number(Self.unowned) == 0)
            let (owners, holders) = (try await first.number(Self.owners), try await first.number(Self.holders))
            #expect(owners == holders)
        }
    }
}
