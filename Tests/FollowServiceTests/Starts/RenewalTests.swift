import FollowService
import ScoreTypes
import Testing

/// An activity that grows too old is ended and started anew, where the person still wants it.
@Suite struct RenewalTests {
    private let channel = ChannelID("b2xk")

    private func phone(_ store: Store, _ number: UInt64, route: ActivityRoute, follows: Bool = true) async throws {
        _ = try await store.devices.register(
            NewDevice(
                device: device(number),
                environment: .sandbox,
                bundleID: "app",
                abilities: [.activities, .alerts],
                credentialHash: [1]
            )
        )
        _ = try await store.devices.setToken(
            DeviceTokenWish(
                device: device(number),
                kind: .pushToStart,
                token: token(number),
                environment: .sandbox,
                clientSeq: 1
            )
        )
        if follows { _ = try await store.follows.put(FollowWish(match: .final), of: device(number), clientSeq: 1) }
        try await register(store, number, route: route, seq: 1)
    }

    private func register(_ store: Store, _ number: UInt64, route: ActivityRoute, seq: Int64) async throws {
        _ = try await store.activities.register(
            ActivityRegistration(
                device: device(number),
                match: .final,
                activityID: ActivityID(unchecked: "A-\(seq)"),
                environment: .sandbox,
                route: route,
                startedAt: store.time.now,
                clientSeq: seq
            )
        )
    }

    @Test func whoStillFollowsIsStartedAnewAndTheOldOneEnded() async throws {
        let store = try await Store()
        let renewals = Renewals(activities: store.activities)
        try await phone(store, 1, route: .token(token(1)))
        try await phone(store, 2, route: .token(token(2)), follows: false)
        try await phone(store, 3, route: .token(token(3)))
        try await register(store, 3, route: .token(token(33)), seq: 2)
        let old = (1...3 as ClosedRange<UInt64>).map { (device: device($0), generation: Int32(1)) }
        let renewed = try await renewals.renew(old, of: .final)
        #expect(Set(renewed.ending.map(\.device)) == [device(1), device(2)], "a newer registration is not touched")
        #expect(renewed.ending.allSatisfy { $0.reason == .expired })
        #expect(renewed.starts.map(\.device) == [device(1)], "who follows no longer is not started")
        #expect(
            try await renewals.renew(old, of: .final).ending.count == 2,
            "until the end was answered it is repeated"
        )

        try await register(store, 1, route: .token(token(11)), seq: 2)
        #expect(try await store.activities.finishEnd(of: renewed.ending) == 1, "the new activity stays")
        #expect(try await tableContents(store, of: .final).count == 2)
    }

    @Test func aChannelIsEmptyWhenAllHaveChangedOver() async throws {
        let store = try await Store()
        let renewals = Renewals(activities: store.activities)
        let channel = try #require(channel)
        for number in 1...20 as ClosedRange<UInt64> { try await phone(store, number, route: .channel(channel)) }
        #expect(try await renewals.isEmpty(channel, of: .final) == false)
        var seen: Set<DeviceID> = []
        for bucket in Bucket.all {
            let old = try await renewals.activities(on: channel, of: .final, in: bucket)
            if old.isEmpty { continue }
            let renewed = try await renewals.renew(old, of: .final)
            #expect(renewed.starts.count == old.count && renewed.ending.allSatisfy { $0.route == .channel(channel) })
            seen.formUnion(renewed.ending.map(\.device))
        }
        #expect(seen.count == 20)
        #expect(try await renewals.isEmpty(channel, of: .final))
    }
}
