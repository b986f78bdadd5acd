import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

/// A start on a channel has no token that a phone would register: it counts as an activity until the phone reports.
@Suite struct ChannelStartTests {
    private let one = device(1)

    /// A store with a loud and a quiet channel, and a phone that follows the match with alerts.
    private func store() async throws -> Store {
        let store = try await Store()
        for (profile, name) in [(ChannelProfile.loud, "bG91ZA=="), (.quiet, "cXVpZXQ=")] {
            _ = try await ChannelRecords(pool: store.pool, clock: store.time.clock()).save(
                ChannelRecord(
                    match: .final,
                    environment: .sandbox,
                    attributesType: "T",
                    profile: profile,
                    generation: 1,
                    channel: try channel(name),
                    createdAt: store.time.now
                )
            )
        }
        _ = try await store.devices.register(
            NewDevice(
                device: one,
                environment: .sandbox,
                bundleID: "app",
                abilities: [.activities, .alerts, .channels],
                credentialHash: [1]
            )
        )
        for kind in DeviceTokenKind.allCases {
            _ = try await store.devices.setToken(
                DeviceTokenRegistration(
                    device: one,
                    kind: kind,
                    token: token(1),
                    environment: .sandbox,
                    clientSequence: 1
                )
            )
        }
        _ = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 1)
        return store
    }

    private func channel(_ name: String) throws -> ChannelID { try #require(ChannelID(name)) }

    /// Starts the phone's activity, as APNs accepted it; a nil name is a start on a token.
    private func start(_ store: Store, on name: String?) async throws {
        let starts = StartCandidates(pool: store.pool, clock: store.time.clock())
        let page = try await starts.page(
            of: .final,
            buckets: Bucket.all[0]...Bucket.all[1023],
            scope: .neutrals,
            since: Store.start,
            limit: 10
        )
        #expect(page.members.map(\.target.device) == [one])
        guard let name else { return }
        let start = ChannelStart(match: .final, device: one, environment: .sandbox, channel: try channel(name))
        try await starts.confirm([start])
    }

    private func isAlerted(_ store: Store) async throws -> Bool {
        let audience = AlertAudience(pool: store.pool, clock: store.time.clock())
        let page = try await audience.page(
            of: .final,
            buckets: Bucket.all[0]...Bucket.all[1023],
            kind: [.wicket],
            publishedAt: store.time.now,
            limit: 10
        )
        return !page.members.isEmpty
    }

    private func reconcile(_ store: Store, _ reported: [ReportedActivity]) async throws -> ReconcileOutcome {
        try await store.activities.reconcile(device: one, reported: reported, clientSequence: 5)
    }

    private func shown(_ name: String) throws -> ReportedActivity {
        ReportedActivity(activityID: ActivityID(unchecked: "A-1"), match: .final, channel: try channel(name))
    }

    @Test("a start on the loud channel counts until ActivityKit would have ended it; on a token it does not")
    func aStartOnTheLoudChannelCounts() async throws {
        let store = try await store()
        try await start(store, on: "bG91ZA==")
        for wait in [0, 121, 7 * 3600] as [Int64] {
            store.time.advance(by: .seconds(wait))
            #expect(try await !isAlerted(store), "the broadcast alerts")
        }
        store.time.advance(by: .seconds(3600))
        #expect(try await isAlerted(store))

        let other = try await self.store()
        try await start(other, on: nil)
        #expect(try await !isAlerted(other))
        other.time.advance(by: .seconds(121))
        #expect(try await isAlerted(other), "the activity on a token never registered")
    }

    @Test func aStartOnTheQuietChannelLeavesNotifications() async throws {
        let store = try await store()
        try await start(store, on: "cXVpZXQ=")
        #expect(try await isAlerted(store))
    }

    @Test func aContactWithoutTheActivityEndsTheStart() async throws {
        let store = try await store()
        try await start(store, on: "bG91ZA==")
        store.time.advance(by: .seconds(300))
        #expect(try await reconcile(store, []).missing.isEmpty)
        #expect(try await isAlerted(store), "the phone shows no activity")
    }

    @Test func aContactWithAnUnregisteredActivityKeepsTheStart() async throws {
        let store = try await store()
        try await start(store, on: "bG91ZA==")
        store.time.advance(by: .seconds(300))
        #expect(try await reconcile(store, [try shown("bG91ZA==")]).unknownTokens.map(\.text) == ["A-1"])
        #expect(try await !isAlerted(store))
    }

    @Test("an activity that the app started on a channel counts once the app lists it, and opens the channel")
    func anActivityOfTheAppCountsOnceListed() async throws {
        let store = try await store()
        let before = try await reconcile(store, [try shown("bG91ZA==")])
        #expect(before.unknownTokens.map(\.text) == ["A-1"] && before.end.isEmpty)
        #expect(try await !isAlerted(store))
        let opened = try await ChannelRecords(pool: store.pool, clock: store.time.clock())
            .find(try channel("bG91ZA=="), in: .sandbox)?.openedAt
        #expect(opened == store.time.now)
    }

    @Test func anActivityOnAnUnknownOrRetiredChannelIsToBeEnded() async throws {
        let store = try await store()
        #expect(try await reconcile(store, [try shown("b3RoZXI=")]).end.map(\.text) == ["A-1"])
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        try await channels.retire(try channel("bG91ZA=="), in: .sandbox, at: store.time.now)
        #expect(try await reconcile(store, [try shown("bG91ZA==")]).end.map(\.text) == ["A-1"])
        #expect(try await isAlerted(store))
    }

    @Test func theEndOfTheChannelEndsTheStart() async throws {
        let store = try await store()
        try await start(store, on: "bG91ZA==")
        store.time.advance(by: .seconds(300))
        try await store.script("update channel set swept_at = to_timestamp(\(store.time.now.seconds))")
        #expect(try await isAlerted(store), "a silent channel was ended")
        try await store.script("update channel set swept_at = null, retired_at = now()")
        #expect(try await isAlerted(store), "a day's play has ended")
    }

    @Test func aNewFollowAndADismissalEndTheStart() async throws {
        let store = try await store()
        try await start(store, on: "bG91ZA==")
        store.time.advance(by: .seconds(300))
        let dismissed = ReportedActivity(
            activityID: ActivityID(unchecked: "A-1"),
            match: .final,
            state: .dismissed,
            channel: try channel("bG91ZA==")
        )
        _ = try await reconcile(store, [dismissed])
        #expect(try await isAlerted(store))
        _ = try await store.follows.remove(.final, of: one, clientSequence: 6)
        _ = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 7)
        try await start(store, on: "bG91ZA==")
        #expect(try await !isAlerted(store))
        _ = try await store.follows.remove(.final, of: one, clientSequence: 8)
        _ = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 9)
        #expect(try await isAlerted(store))
    }

    @Test func aRegistrationTakesThePlaceOfTheStart() async throws {
        let store = try await store()
        try await start(store, on: "bG91ZA==")
        store.time.advance(by: .seconds(10))
        _ = try await store.activities.register(
            ActivityRegistration(
                device: one,
                match: .final,
                activityID: ActivityID(unchecked: "A-1"),
                environment: .sandbox,
                route: .channel(try channel("bG91ZA==")),
                startedAt: store.time.now,
                startedBy: .push,
                clientSequence: 2
            )
        )
        store.time.advance(by: .seconds(300))
        #expect(try await !isAlerted(store))
        let end = ActivityEnd(
            device: one,
            activityID: ActivityID(unchecked: "A-1"),
            reason: .ended,
            clientSequence: 3
        )
        _ = try await store.activities.end(end)
        store.time.advance(by: .seconds(1))
        #expect(try await isAlerted(store), "the start does not count again")
    }

    @Test("an unreported start takes a place of its device, is renewed with the channel, and keeps it from being empty")
    func anUnreportedStartIsRenewed() async throws {
        let store = try await store()
        try await start(store, on: "bG91ZA==")
        let (renewals, loud) = (Renewals(activities: store.activities), try channel("bG91ZA=="))
        store.time.advance(by: FollowLimits.renewalAge)
        #expect(try await !renewals.isEmpty(loud, of: .final))
        let waiting = try await renewals.waiting(on: loud, of: .final, in: Bucket(of: one))
        #expect(waiting == [one])
        #expect(try await renewals.start(waiting, of: .final).map(\.target.device) == [one])
        #expect(try await renewals.isEmpty(loud, of: .final), "it is started on the next channel")
    }
}
