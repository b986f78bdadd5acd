// Alert settings are stored with the token of the activity, in whatever order settings and registration arrive.

import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct AlertWishTests {
    /// Registers a device; quiet hours and abilities are patched later.
    private func phone(
        _ store: Store,
        _ number: UInt64,
        _ abilities: DeviceAbilities = [.activities, .frequentPushes, .alerts]
    ) async throws {
        try await store.registerDevice(number, abilities: abilities, tokens: [.alert])
    }

    private func show(
        _ store: Store,
        _ number: UInt64,
        _ match: MatchID = .final,
        token name: UInt64? = nil,
        seq: Int64 = 1
    ) async throws {
        _ = try await store.activities.register(
            ActivityRegistration(
                device: device(number),
                match: match,
                activityID: ActivityID(unchecked: "A-\(match)"),
                environment: .sandbox,
                route: .token(token(name ?? number)),
                startedAt: store.time.now,
                clientSequence: seq
            )
        )
    }

    private func wish(_ store: Store, _ number: UInt64, _ match: MatchID = .final) async throws -> AlertWish {
        let stored = try await store.number(
            Statement("select wish from activity where device_id = $1 and match_id = $2"),
            [.uuid(device(number)), .text(match.text)]
        )
        return AlertWish(rawValue: try #require(UInt8(exactly: stored)))
    }

    private func choose(_ store: Store, _ number: UInt64, _ wish: FollowSettings, seq: Int64) async throws {
        _ = try await store.follows.put(wish, of: device(number), clientSequence: seq)
    }

    @Test func aDefaultFollowReceivesAllAlerts() async throws {
        let store = try await Store()
        try await phone(store, 1)
        try await show(store, 1)
        #expect(try await wish(store, 1) == .all, "an activity without a follow")
        try await choose(store, 1, FollowSettings(match: .final), seq: 1)
        #expect(try await wish(store, 1) == .all)
    }

    @Test func alertSettingsHoldBeforeAndAfterTheActivityRegisters() async throws {
        let store = try await Store()
        for number in 1...2 as ClosedRange<UInt64> { try await phone(store, number) }
        let choice = FollowSettings(match: .final, teamIntent: .second, alerts: [.wicket, .result])
        let due = AlertWish(kinds: 5, side: 2)
        try await choose(store, 1, choice, seq: 1)
        try await show(store, 1)
        #expect(try await wish(store, 1) == due)
        try await show(store, 2)
        try await show(store, 2, .other)
        try await choose(store, 2, choice, seq: 1)
        #expect(try await wish(store, 2) == due)
        #expect(try await wish(store, 2, .other) == .all, "another match has its own settings")
        try await choose(store, 2, FollowSettings(match: .final), seq: 2)
        #expect(try await wish(store, 2) == .all, "taken back")
    }

    @Test func aListAndATokenRotationKeepTheSettings() async throws {
        let store = try await Store()
        try await phone(store, 1)
        try await show(store, 1)
        let list = [FollowSettings(match: .final, alerts: []), FollowSettings(match: .other)]
        _ = try await store.follows.replaceAll(list, of: device(1), clientSequence: 3)
        #expect(try await wish(store, 1) == AlertWish.none)
        try await show(store, 1, seq: 2)
        #expect(try await wish(store, 1) == AlertWish.none)
    }

    @Test func quietHoursAndDisabledAlertsSilenceActivities() async throws {
        let store = try await Store()
        for number in 1...3 as ClosedRange<UInt64> {
            let abilities: DeviceAbilities = [.activities, .frequentPushes, .alerts]
            try await phone(store, number, number == 3 ? abilities.subtracting(.alerts) : abilities)
            try await choose(store, number, FollowSettings(match: .final), seq: 1)
            try await show(store, number)
        }
        #expect(try await wish(store, 3) == AlertWish.none, "alerts are not allowed")
        let night = try #require(QuietHours(from: 22 * 60, until: 7 * 60))
        _ = try await store.devices.patch(device(1), DevicePatch(quietHours: .some(night)))
        #expect(try await wish(store, 1) == AlertWish.none)
        let audience = AlertAudience(pool: store.pool, clock: store.time.clock())
        let (low, high) = (Bucket.all[0], Bucket.all[Bucket.count - 1])
        let page = try await audience.page(
            of: .final,
            buckets: low...high,
            kind: [.wicket],
            publishedAt: store.time.now + .seconds(1),
            limit: 10
        )
        #expect(page.members.map(\.target.device) == [device(1)], "a notification respects their hours")
        _ = try await store.devices.patch(device(1), DevicePatch(quietHours: .some(nil)))
        _ = try await store.devices.patch(device(3), DevicePatch(enabled: [.activities, .alerts]))
        #expect(try await wish(store, 1) == .all)
        #expect(try await wish(store, 3) == .all)
    }

    @Test func anActivityThatIsNewerThanAMomentLeavesItsDeviceTheNotification() async throws {
        let store = try await Store()
        try await phone(store, 1)
        try await choose(store, 1, FollowSettings(match: .final), seq: 1)
        let moment = store.time.now
        func isRecipient(ofAMomentAt time: Instant) async throws -> Bool {
            try await isAnyoneRecipient(store, ofAMomentAt: time)
        }
        store.time.advance(by: .seconds(2))
        try await show(store, 1)
        #expect(try await isRecipient(ofAMomentAt: moment), "the fan-out sends it no alert of this moment")
        #expect(try await !isRecipient(ofAMomentAt: moment + .seconds(3)))
        try await show(store, 1, token: 9, seq: 2)
        #expect(try await !isRecipient(ofAMomentAt: moment), "a new token is no new activity")
        store.time.advance(by: .seconds(5))
        let end = ActivityEnd(
            device: device(1),
            activityID: ActivityID(unchecked: "A-\(MatchID.final)"),
            reason: .ended,
            clientSequence: 3
        )
        _ = try await store.activities.end(end)
        #expect(try await !isRecipient(ofAMomentAt: store.time.now - .seconds(1)), "its activity had the alert")
        #expect(try await isRecipient(ofAMomentAt: store.time.now + .seconds(1)))
    }

    @Test func anActivityThatDiedAfterAMomentHadItsAlert() async throws {
        let store = try await Store()
        try await phone(store, 1)
        try await choose(store, 1, FollowSettings(match: .final), seq: 1)
        try await show(store, 1)
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        let death = store.time.now + .seconds(60)
        store.time.advance(by: .seconds(90))
        // The person dismissed the activity; APNs says since when its token is dead.
        try await running.index.write(
            RejectedToken(match: .final, device: device(1), generation: 1, deadAt: death)
        )
        #expect(try await !isAnyoneRecipient(store, ofAMomentAt: death - .seconds(1)), "the activity had its alert")
        #expect(try await isAnyoneRecipient(store, ofAMomentAt: death + .seconds(1)))
        await running.stop()
    }

    private func isAnyoneRecipient(_ store: Store, ofAMomentAt time: Instant) async throws -> Bool {
        let audience = AlertAudience(pool: store.pool, clock: store.time.clock())
        let page = try await audience.page(
            of: .final,
            buckets: Bucket.all[0]...Bucket.all[Bucket.count - 1],
            kind: [.wicket],
            publishedAt: time,
            limit: 10
        )
        return !page.members.isEmpty
    }

    @Test func theArenaReceivesNewSettingsWithoutANewToken() async throws {
        let store = try await Store()
        try await phone(store, 1)
        try await choose(store, 1, FollowSettings(match: .final, alerts: [.result]), seq: 1)
        try await show(store, 1)
        let running = RunningIndex(store)
        try await running.index.own(Bucket.all)
        try await running.index.open(.final)
        func held() -> AlertWish? {
            var wish: AlertWish?
            let bucket = Bucket(of: device(1))
            _ = running.index.slice(match: .final, bucket: bucket) { $0.forEach { wish = $0.activity.wish } }
            return wish
        }
        #expect(held() == AlertWish(kinds: 4), "read with the tokens")
        try await choose(store, 1, FollowSettings(match: .final, teamIntent: .first), seq: 2)
        running.index.wake()
        try await eventually("the change is followed") { held() == AlertWish(kinds: 15, side: 1) }
        #expect(running.additions.all.isEmpty, "no device has to receive the state for that")
        await running.stop()
    }
}
