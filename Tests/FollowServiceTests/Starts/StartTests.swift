import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct StartTests {
    private let all = (Bucket(0), Bucket(1023))

    /// Registers a device with a start token, an alert token and everything allowed.
    private func phone(_ store: Store, _ number: UInt64, abilities: DeviceAbilities = [.activities, .alerts])
        async throws
    {
        try await store.registerDevice(number, abilities: abilities, tokens: DeviceTokenKind.allCases)
    }

    private func follow(_ store: Store, _ number: UInt64, _ match: MatchID, _ intent: TeamIntent = .neither)
        async throws
    {
        _ = try await store.follows.put(
            FollowSettings(match: match, teamIntent: intent),
            of: device(number),
            clientSequence: 1
        )
    }

    private func activity(
        _ store: Store,
        _ number: UInt64,
        _ match: MatchID,
        seq: Int64 = 1,
        by starter: ActivityStarter = .push,
        route: ActivityRoute? = nil
    ) async throws {
        _ = try await store.activities.register(
            ActivityRegistration(
                device: device(number),
                match: match,
                activityID: ActivityID(unchecked: "A-\(match)"),
                environment: .sandbox,
                route: route ?? .token(token(number)),
                startedAt: store.time.now,
                startedBy: starter,
                clientSequence: seq
            )
        )
    }

    private func started(
        _ store: Store,
        _ match: MatchID,
        _ scope: StartCandidates.Scope = .neutrals,
        since: Instant? = nil,
        limit: Int = 100
    ) async throws -> [DeviceID] {
        let starts = StartCandidates(pool: store.pool, clock: store.time.clock())
        let (low, high) = (try #require(all.0), try #require(all.1))
        var found: [DeviceID] = []
        var cursor: AudienceCursor? = .start
        while let after = cursor {
            let page = try await starts.page(
                of: match,
                buckets: low...high,
                scope: scope,
                since: since ?? Store.start,
                after: after,
                limit: limit
            )
            found += page.members.map(\.target.device)
            cursor = page.next
        }
        return found
    }

    /// As during a handover: both nodes read the followers before either marks them.
    @Test func twoNodesStartAFollowerOnce() async throws {
        let store = Store(on: try await ScratchDatabase.make(), bounds: .init(statementTimeout: .seconds(60)))
        try await phone(store, 1)
        try await follow(store, 1, .final)
        let waiting = Statement(
            """
            select count(*) from pg_stat_activity
            where datname = current_database() and application_name = 'follow-test' and wait_event_type = 'Lock'
            """
        )
        let locker = try await Connection.open(store.info, name: "locker")
        try await locker.script(
            "set idle_in_transaction_session_timeout = 0; begin; select 1 from device for update"
        )
        async let one = started(store, .final)
        async let other = started(store, .final)
        try await eventually("both nodes wait") { try await store.number(waiting) == 2 }
        try await locker.script("rollback")
        let found = try await one + other
        await locker.close()
        #expect(found == [device(1)])
    }

    @Test func onlyDevicesWithAFollowAndATokenAreStarted() async throws {
        let store = try await Store()
        for number in 1...7 as ClosedRange<UInt64> {
            try await phone(store, number, abilities: number == 2 ? [.alerts] : [.activities, .alerts])
            if number != 1 { try await follow(store, number, .final, number == 7 ? .second : .neither) }
        }
        let gone = DeviceTokenRegistration(
            device: device(3),
            kind: .pushToStart,
            token: nil,
            environment: .sandbox,
            clientSequence: 2
        )
        _ = try await store.devices.setToken(gone)
        try await activity(store, 4, .final)
        try await activity(store, 5, .final)
        _ = try await store.activities.end(
            ActivityEnd(
                device: device(5),
                activityID: ActivityID(unchecked: "A-final-2025"),
                reason: .dismissed,
                clientSequence: 2
            )
        )
        #expect(try await started(store, .final, .supporters) == [device(7)])
        #expect(try await started(store, .final) == [device(6)])
        #expect(try await started(store, .final).isEmpty, "a start is sent once")
        store.time.advance(by: .seconds(3600))
        #expect(try await started(store, .final, since: store.time.now) == [device(6)], "the next day's play")
    }

    @Test("an activity that was dismissed or lost is not started again that day, except after a new follow")
    func anEndedActivityIsNotStartedAgainTheSameDay() async throws {
        let store = try await Store()
        for number in 1...3 as ClosedRange<UInt64> {
            try await phone(store, number)
            try await follow(store, number, .final)
            // Started by the app: no start was ever sent.
            try await activity(store, number, .final, by: .app)
        }
        _ = try await store.activities.beginEnd(match: .final, devices: [device(1)], reason: .rejected)
        _ = try await store.activities.beginEnd(match: .final, devices: [device(2)], reason: .unfollowed)
        try await store.script("update activity set state = 3 where state = 2")
        let ending = try await store.activities.beginEnd(match: .final, devices: [1, 2, 3].map(device), reason: .over)
        #expect(ending.map(\.device) == [device(3)])
        try await store.script("update activity set state = 3 where state = 2")
        _ = try await store.follows.remove(.final, of: device(2), clientSequence: 2)
        _ = try await store.follows.put(FollowSettings(match: .final), of: device(2), clientSequence: 3)
        #expect(try await started(store, .final) == [device(2)])
        store.time.advance(by: .seconds(3600))
        #expect(Set(try await started(store, .final, since: store.time.now)) == Set([1, 2, 3].map(device)), "next day")
    }

    @Test func anUnsentStartIsListedAgain() async throws {
        let store = try await Store()
        for number in 1...2 as ClosedRange<UInt64> {
            try await phone(store, number)
            try await follow(store, number, .final)
        }
        #expect(try await started(store, .final).count == 2)
        let candidates = StartCandidates(pool: store.pool, clock: store.time.clock())
        try await candidates.release([UnsentStart(match: .final, device: device(2))])
        #expect(try await started(store, .final) == [device(2)])
        let failedAt = store.time.now
        let late = [1, 2].map { UnsentStart(match: .final, device: device($0), markedUntil: failedAt) }
        try await candidates.release([late[1]])
        store.time.advance(by: .seconds(1))
        #expect(try await started(store, .final) == [device(2)], "a late report removes an older mark")
        try await candidates.release(late)
        #expect(try await started(store, .final) == [device(1)], "and no younger one")
    }

    @Test func aPhoneReceivesTwoStartsAtMost() async throws {
        let store = try await Store()
        let matches = (1...4).map { MatchID(unchecked: "m\($0)") }
        for number in 1...30 as ClosedRange<UInt64> {
            try await phone(store, number)
            for match in matches { try await follow(store, number, match) }
        }
        let counts = try await withThrowingTaskGroup(of: [DeviceID].self) { group in
            for match in matches { group.addTask { try await started(store, match, limit: 7) } }
            return try await group.reduce(into: [DeviceID: Int]()) { counts, devices in
                for device in devices { counts[device, default: 0] += 1 }
            }
        }
        #expect(counts.count == 30 && counts.values.allSatisfy { $0 == 2 }, "\(counts.values)")
        store.time.advance(by: FollowLimits.startAnswerTime + .seconds(1))
        let late = try await started(store, matches[0], since: store.time.now)
        #expect(late.count == 30, "unanswered starts free their places")
    }

    @Test func aStartIsReservedForTheMatchOfTheTeam() async throws {
        let store = try await Store()
        try await phone(store, 1)
        let ours = MatchID(unchecked: "ours")
        try await store.script(
            "insert into match (match_id, feed_id, epoch, starts_at) select 'ours', 'f', 'abcdefgh', "
                + "to_timestamp(\(Store.start.seconds + 300))"
        )
        try await follow(store, 1, ours, .first)
        for number in 1...3 { try await follow(store, 1, MatchID(unchecked: "n\(number)")) }
        #expect(try await started(store, MatchID(unchecked: "n1")) == [device(1)])
        #expect(try await started(store, MatchID(unchecked: "n2")).isEmpty)
        #expect(try await started(store, ours, .supporters) == [device(1)])
    }

    @Test func alertsGoToDevicesWithoutAnAlertingActivity() async throws {
        let store = try await Store()
        let channels = ChannelRecords(pool: store.pool, clock: store.time.clock())
        for (profile, name) in [(ChannelProfile.loud, "bG91ZA=="), (.quiet, "cXVpZXQ=")] {
            _ = try await channels.save(
                ChannelRecord(
                    match: .final,
                    environment: .sandbox,
                    attributesType: "T",
                    profile: profile,
                    generation: 1,
                    channel: try #require(ChannelID(name)),
                    createdAt: store.time.now
                )
            )
        }
        for number in 1...6 as ClosedRange<UInt64> {
            try await phone(store, number, abilities: number == 6 ? [.activities] : [.activities, .alerts])
            try await follow(store, number, .final, number == 5 ? .second : .neither)
        }
        try await activity(store, 2, .final)
        try await activity(store, 3, .final, route: .channel(#require(ChannelID("bG91ZA=="))))
        try await activity(store, 4, .final, route: .channel(#require(ChannelID("cXVpZXQ="))))
        let audience = AlertAudience(pool: store.pool, clock: store.time.clock())
        let (low, high) = (try #require(all.0), try #require(all.1))
        func alerted(_ kind: AlertKinds) async throws -> Set<DeviceID> {
            let page = try await audience.page(
                of: .final,
                buckets: low...high,
                kind: kind,
                publishedAt: store.time.now + .seconds(1),
                limit: 10
            )
            #expect(page.next == nil)
            return Set(page.members.map(\.target.device))
        }
        #expect(try await alerted([.wicket]) == [device(1), device(4), device(5)])
        _ = try await store.follows.put(
            FollowSettings(match: .final, alerts: [.result]),
            of: device(1),
            clientSequence: 2
        )
        #expect(try await alerted([.wicket]) == [device(4), device(5)])
        try await channels.supersede(try #require(ChannelID("bG91ZA==")), in: .sandbox, at: store.time.now)
        #expect(try await alerted([.wicket]) == [device(4), device(5)], "most have the next activity soon")
        store.time.advance(by: FollowLimits.startGrace + .seconds(1))
        #expect(try await alerted([.wicket]) == [device(3), device(4), device(5)], "the others receive it")
    }
}
