// An app sends settings and registers its activity concurrently; no setting may be lost between the two.

import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import FollowService

/// Each test locks the table of changes, so that a writer waits with its rows written and uncommitted.
@Suite(.timeLimit(.minutes(2))) struct RacingChoiceTests {
    private static let chosen = FollowSettings(match: .final, alerts: [.result])

    private static let sleepers = Statement(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name = 'follow-test' and wait_event_type = 'Lock'
        """
    )

    /// Shown as the last statement of a connection that waits for registrations.
    private static let looks = Statement(
        """
        select count(*) from pg_stat_activity
        where datname = current_database() and application_name = 'follow-test'
          and query like '%virtualtransaction%' and query not like '%pg_stat_activity%'
        """
    )

    private static let writtenByTheDead = Statement(
        """
        insert into follow (match_id, bucket, device_id, wants, team_intent, alerts, client_seq, changed_at, since_seq)
        values ('final-2025', $1, $2, 1, 0, 4, 2, now(), 2)
        """
    )

    private let one = device(1)

    /// No statement times out while the test holds the lock.
    private func patientStore() async throws -> Store {
        Store(on: try await ScratchDatabase.make(), bounds: .init(statementTimeout: .seconds(60)))
    }

    private func registration(_ store: Store, seq: Int64) throws -> ActivityRegistration {
        ActivityRegistration(
            device: one,
            match: .final,
            activityID: ActivityID(unchecked: "A"),
            environment: .sandbox,
            route: .token(try token(UInt64(seq))),
            startedAt: store.time.now,
            clientSequence: seq
        )
    }

    private func phone(_ store: Store) async throws {
        let made = try await store.devices.register(
            NewDevice(
                device: one,
                environment: .sandbox,
                bundleID: "app",
                abilities: [.activities, .frequentPushes, .alerts],
                credentialHash: [1]
            )
        )
        #expect(made)
    }

    private func wish(_ store: Store) async throws -> AlertWish? {
        let stored = try await store.number(Statement("select wish from activity"))
        return UInt8(exactly: stored).flatMap { AlertWish(rawValue: $0) }
    }

    /// Runs two calls: the second begins once the first waits before its commit, and both end afterwards.
    ///
    /// - `meanwhile`: The condition to await before the first continues.
    private func race(
        _ store: Store,
        _ first: @escaping @Sendable () async throws -> Void,
        _ second: @escaping @Sendable () async throws -> Void,
        meanwhile: () async throws -> Bool
    ) async throws {
        let locker = try await Connection.open(store.info, name: "locker")
        try await locker.script(
            "set idle_in_transaction_session_timeout = 0; begin; lock table change in share mode"
        )
        async let early: Void = first()
        try await eventually("the first waits") { try await store.number(Self.sleepers) == 1 }
        async let late: Void = second()
        try await eventually("the second waits") { try await meanwhile() }
        try await locker.script("rollback")
        _ = try await (early, late)
        await locker.close()
    }

    @Test func aChangeDuringTheFirstRegistrationApplies() async throws {
        let store = try await patientStore()
        let call = try registration(store, seq: 1)
        try await race(store) {
            _ = try await store.activities.register(call)
        } _: {
            _ = try await store.follows.put(Self.chosen, of: device(1), clientSequence: 2)
        } meanwhile: {
            try await store.number(Statement("select count(*) from follow")) == 1
        }
        #expect(try await wish(store) == AlertWish(kinds: 4))
    }

    /// A stopped node, for example; phones without a change of settings need not wait for it.
    @Test func aStalledRegistrationDelaysOnlySettingChanges() async throws {
        let store = try await patientStore()
        let call = try registration(store, seq: 1)
        let isAnswered = Mutex(false)
        try await race(store) {
            _ = try await store.activities.register(call)
        } _: {
            _ = try await store.follows.put(Self.chosen, of: device(1), clientSequence: 2)
            isAnswered.withLock { $0 = true }
        } meanwhile: {
            guard try await store.number(Statement("select count(*) from follow")) == 1 else { return false }
            for number in UInt64(1)...2 {
                let follow = try await store.follows.put(
                    FollowSettings(match: .other),
                    of: device(number),
                    clientSequence: 3
                )
                guard case .stored(_, isNew: true) = follow else { return false }
                let left = try await store.follows.remove(.other, of: device(number), clientSequence: 4)
                guard case .stored(_, isNew: false) = left else { return false }
            }
            return !isAnswered.withLock { $0 }
        }
        #expect(isAnswered.withLock { $0 })
        #expect(try await wish(store) == AlertWish(kinds: 4))
    }

    @Test func anUnfollowDuringARegistrationUpdatesItsCopy() async throws {
        let store = try await patientStore()
        _ = try await store.follows.put(Self.chosen, of: one, clientSequence: 1)
        let call = try registration(store, seq: 2)
        try await race(store) {
            _ = try await store.activities.register(call)
        } _: {
            _ = try await store.follows.put(FollowSettings(match: .final), of: device(1), clientSequence: 3)
        } meanwhile: {
            try await store.number(Statement("select count(*) from follow where alerts = 15")) == 1
        }
        #expect(try await wish(store) == AlertWish.all)
    }

    @Test func aChangeRepeatedAfterANodeFailureReplacesARacingCopy() async throws {
        let store = try await patientStore()
        let call = try registration(store, seq: 1)
        let isAnswered = Mutex(false)
        try await race(store) {
            _ = try await store.activities.register(call)
        } _: {
            let place: [Bind] = [.smallint(Bucket(of: device(1)).number), .uuid(device(1))]
            try await store.pool.execute(Self.writtenByTheDead, place)
            let again = try await store.follows.put(Self.chosen, of: device(1), clientSequence: 2)
            isAnswered.withLock { $0 = true }
            if case .unchanged = again { return }
            Issue.record("\(again)")
        } meanwhile: {
            let hasLooked = try await store.number(Self.looks) > 0
            return hasLooked || isAnswered.withLock { $0 }
        }
        #expect(try await wish(store) == AlertWish(kinds: 4))
    }

    @Test func quietHoursRepeatedAfterANodeFailureReplaceARacingCopy() async throws {
        let store = try await patientStore()
        try await phone(store)
        let call = try registration(store, seq: 1)
        let isAnswered = Mutex(false)
        let change = DevicePatch(disabled: [.alerts], clientSequence: 7)
        try await race(store) {
            _ = try await store.activities.register(call)
        } _: {
            let written: Statement = "update device set abilities = abilities & ~4, profile_seq = 7"
            try await store.pool.execute(written)
            _ = try await store.devices.patch(device(1), change)
            isAnswered.withLock { $0 = true }
        } meanwhile: {
            let hasLooked = try await store.number(Self.looks) > 0
            return hasLooked || isAnswered.withLock { $0 }
        }
        #expect(try await wish(store) == AlertWish.none)
    }

    @Test func aTokenRotationDuringAChangeDoesNotRestoreTheOldSettings() async throws {
        let store = try await patientStore()
        _ = try await store.activities.register(registration(store, seq: 1))
        let rotation = try registration(store, seq: 3)
        try await race(store) {
            _ = try await store.follows.put(Self.chosen, of: device(1), clientSequence: 2)
        } _: {
            _ = try await store.activities.register(rotation)
        } meanwhile: {
            try await store.number(Self.sleepers) == 2
        }
        #expect(try await store.number(Statement("select gen from activity")) == 2)
        #expect(try await wish(store) == AlertWish(kinds: 4))
    }

    @Test func aListDuringTheFirstRegistrationApplies() async throws {
        let store = try await patientStore()
        try await phone(store)
        let call = try registration(store, seq: 1)
        try await race(store) {
            _ = try await store.activities.register(call)
        } _: {
            _ = try await store.follows.replaceAll([Self.chosen], of: device(1), clientSequence: 2)
        } meanwhile: {
            try await store.number(Statement("select count(*) from follow")) == 1
        }
        #expect(try await wish(store) == AlertWish(kinds: 4))
    }

    @Test func quietHoursSetDuringTheFirstRegistrationApply() async throws {
        let store = try await patientStore()
        try await phone(store)
        let night = try #require(QuietHours(from: 22 * 60, until: 7 * 60))
        let call = try registration(store, seq: 1)
        try await race(store) {
            _ = try await store.activities.register(call)
        } _: {
            _ = try await store.devices.patch(device(1), DevicePatch(quietHours: .some(night)))
        } meanwhile: {
            try await store.number(Statement("select count(*) from device where quiet_from is not null")) == 1
        }
        #expect(try await wish(store) == AlertWish.none)
    }

    @Test func aPatchThatChangesNoAlertSettingWaitsForNoRegistration() async throws {
        let store = try await patientStore()
        try await phone(store)
        let call = try registration(store, seq: 1)
        let isAnswered = Mutex(false)
        try await race(store) {
            _ = try await store.activities.register(call)
        } _: {
            // A phone sends all its settings each time.
            _ = try await store.devices.patch(device(1)) { known in
                DevicePatch(
                    enabled: known.abilities,
                    profile: DeviceProfile(timeZone: "Asia/Dhaka"),
                    quietHours: .some(known.quietHours)
                )
            }
            isAnswered.withLock { $0 = true }
        } meanwhile: {
            isAnswered.withLock { $0 }
        }
    }

    @Test func anErasureRemovesTheActivityOfARacingRegistration() async throws {
        let store = try await patientStore()
        try await phone(store)
        let call = try registration(store, seq: 1)
        try await race(store) {
            _ = try await store.activities.register(call)
        } _: {
            let ended = try await store.devices.erase(device(1))
            #expect(ended?.map(\.match) == [.final], "the push that ends it on the phone")
        } meanwhile: {
            try await store.number(Statement("select count(*) from device where erased_at is not null")) == 1
        }
        #expect(try await store.number(Statement("select count(*) from activity where state <> 3")) == 0)
        #expect(try await store.number(Statement("select count(*) from activity where token <> ''")) == 0)
    }
}
