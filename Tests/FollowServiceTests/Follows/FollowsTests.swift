import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct FollowsTests {
    private let one = device(1)

    @Test("C15: a late unfollow does not end a newer follow") func aLateUnfollowDoesNotEndANewerFollow() async throws {
        let store = try await Store()
        let wish = FollowSettings(match: .final, teamIntent: .first, alerts: [.wicket], surfaces: [.widget, .standby])
        guard case .stored = try await store.follows.put(wish, of: one, clientSequence: 2) else {
            Issue.record("the first follow was not stored")
            return
        }
        guard case .outdated(let held) = try await store.follows.remove(.final, of: one, clientSequence: 1) else {
            Issue.record("a late unfollow was accepted")
            return
        }
        #expect(held.isFollowed && held.clientSequence == 2)
        guard case .unchanged = try await store.follows.put(wish, of: one, clientSequence: 2) else {
            Issue.record("a retry was written")
            return
        }
        guard case .stored(let gone, _) = try await store.follows.remove(.final, of: one, clientSequence: 3) else {
            Issue.record("a newer unfollow was not accepted")
            return
        }
        #expect(!gone.isFollowed && gone.settings.teamIntent == .first && gone.settings.alerts == [.wicket])
        #expect(gone.settings.surfaces == [.widget, .standby])
        #expect(try await store.follows.list(one).isEmpty)
        guard case .outdated = try await store.follows.put(wish, of: one, clientSequence: 2) else {
            Issue.record("a late follow revived what was unfollowed")
            return
        }
    }

    @Test("C15: an unfollow that arrives before its follow is recorded")
    func anUnfollowBeforeItsFollowIsRecorded() async throws {
        let store = try await Store()
        _ = try await store.follows.remove(.final, of: one, clientSequence: 5)
        guard case .outdated = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 4)
        else {
            Issue.record("the overtaken follow was accepted")
            return
        }
        #expect(try await store.follows.list(one).isEmpty)
    }

    @Test func anUnfollowOfAnUnknownMatchIsStoredOverAFollowOnly() async throws {
        let store = try await Store()
        let rows = Statement("select count(*) from follow")
        for sequence in 1...2 as ClosedRange<Int64> {
            let outcome = try await store.follows.remove(.final, of: one, clientSequence: sequence, isKnown: false)
            guard case .unchanged(let follow) = outcome else {
                Issue.record("an unfollow was stored: \(outcome)")
                return
            }
            #expect(!follow.isFollowed && follow.clientSequence == sequence)
        }
        #expect(try await store.number(rows) == 0)
        _ = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 3)
        let outcome = try await store.follows.remove(.final, of: one, clientSequence: 4, isKnown: false)
        guard case .stored(let gone, _) = outcome else {
            Issue.record("the follow of a match that was deleted stays: \(outcome)")
            return
        }
        #expect(!gone.isFollowed)
        #expect(try await store.number(rows) == 1)
    }

    private func phone(_ store: Store) async throws {
        let made = try await store.devices.register(
            NewDevice(device: one, environment: .sandbox, bundleID: "app", abilities: [], credentialHash: [1])
        )
        #expect(made)
    }

    @Test func aNewerListEndsALateFollow() async throws {
        let store = try await Store()
        try await phone(store)
        _ = try await store.follows.replaceAll([FollowSettings(match: .other)], of: one, clientSequence: 10)
        guard
            case .outdated(let held) = try await store.follows.put(
                FollowSettings(match: .final),
                of: one,
                clientSequence: 9
            )
        else {
            Issue.record("a follow from before the list was accepted")
            return
        }
        #expect(!held.isFollowed && held.clientSequence == 10, "the list counts as its withdrawal")
        let third = MatchID(unchecked: "unfollowed-before")
        _ = try await store.follows.remove(third, of: one, clientSequence: 3)
        guard case .outdated = try await store.follows.put(FollowSettings(match: third), of: one, clientSequence: 9)
        else {
            Issue.record("a follow from before the list was accepted over an earlier unfollow")
            return
        }
        let late = try await store.follows.replaceAll([FollowSettings(match: .final)], of: one, clientSequence: 8)
        #expect(late == .outdated(clientSequence: 10))
        #expect(try await store.follows.list(one).map(\.match) == [.other])
        let again = try #require(
            try await store.follows.replaceAll([FollowSettings(match: .other)], of: one, clientSequence: 10).change
        )
        #expect(again.follows.map(\.match) == [.other], "a repeated list is not a late one")
        guard
            case .stored(_, isNew: true) = try await store.follows.put(
                FollowSettings(match: .final),
                of: one,
                clientSequence: 11
            )
        else {
            Issue.record("a follow from after the list was refused")
            return
        }
    }

    @Test func anOutdatedListEndsALateFollow() async throws {
        let store = try await Store()
        try await phone(store)
        _ = try await store.follows.put(FollowSettings(match: .other), of: one, clientSequence: 9)
        let list = try await store.follows.replaceAll([FollowSettings(match: .other)], of: one, clientSequence: 8)
        #expect(list == .outdated(clientSequence: 9), "all that it names is newer")
        let late = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 5)
        guard case .outdated(let held) = late else {
            Issue.record("a follow from before the list was accepted: \(late)")
            return
        }
        #expect(!held.isFollowed && held.clientSequence == 8, "the list counts as its withdrawal")
        #expect(try await store.follows.list(one).map(\.match) == [.other])
    }

    /// The follow is written and uncommitted when the list reads the rows.
    @Test(.timeLimit(.minutes(2))) func aListWaitsForAnUncommittedFollow() async throws {
        let store = Store(on: try await ScratchDatabase.make(), bounds: .init(statementTimeout: .seconds(60)))
        try await phone(store)
        _ = try await store.follows.put(FollowSettings(match: .other), of: one, clientSequence: 1)
        let locker = try await Connection.open(store.info, name: "locker")
        let asleep = Statement(
            """
            select count(*) from pg_stat_activity
            where datname = current_database() and application_name = 'follow-test' and wait_event_type = 'Lock'
            """
        )
        let bucket = Bind.smallint(Bucket(of: one).number)
        try await locker.script("set idle_in_transaction_session_timeout = 0; begin")
        let hold = Statement("select match_id from follow where bucket = $1 and match_id = 'other-1' for update")
        _ = try await locker.query(hold, [bucket]) { try $0.text(0) }
        let two: [FollowSettings] = [FollowSettings(match: .final), FollowSettings(match: .other)]
        async let puts: Void = withThrowingTaskGroup(of: Void.self) { group in
            for wish in two {
                group.addTask { _ = try await store.follows.put(wish, of: device(1), clientSequence: 9) }
            }
            try await group.waitForAll()
        }
        try await eventually("the follows wait") { try await store.number(asleep) == 1 }
        async let list = store.follows.replaceAll([FollowSettings(match: .other)], of: one, clientSequence: 10)
        try await eventually("the list waits behind them") { try await store.number(asleep) == 2 }
        try await locker.script("rollback")
        try await puts
        let change = try #require(try await list.change)
        #expect(change.follows.map(\.match) == [.other])
        #expect(try await store.follows.list(one).map(\.match) == [.other])
        await locker.close()
    }

    @Test func aLateDismissalDoesNotChangeALaterFollow() async throws {
        let store = try await Store()
        let id = ActivityID(unchecked: "A")
        _ = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 1)
        _ = try await store.activities.register(
            ActivityRegistration(
                device: one,
                match: .final,
                activityID: id,
                environment: .sandbox,
                route: .token(try token(1)),
                startedAt: store.time.now,
                clientSequence: 2
            )
        )
        _ = try await store.follows.remove(.final, of: one, clientSequence: 6)
        _ = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 7)
        _ = try await store.follows.put(FollowSettings(match: .final, alerts: []), of: one, clientSequence: 8)
        let end = ActivityEnd(device: one, activityID: id, reason: .dismissed, clientSequence: 5)
        #expect(try await store.activities.end(end) == .ended)
        #expect(try await store.follows.list(one).map(\.isDismissed) == [false], "it belongs to the earlier follow")
    }

    @Test func aDeviceFollowsFiftyMatchesAndAListReplacesThem() async throws {
        let store = try await Store()
        func match(_ number: Int) -> MatchID { MatchID(unchecked: "m\(number)") }
        let outcomes = try await withThrowingTaskGroup(of: FollowOutcome.self) { group in
            for number in 0..<60 {
                group.addTask {
                    try await store.follows.put(
                        FollowSettings(match: match(number)),
                        of: one,
                        clientSequence: Int64(number)
                    )
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == .limitReached }.count == 10)
        let held = try await store.follows.list(one).map(\.match)
        #expect(held.count == FollowLimits.followsPerDevice)
        let known = try #require(held.first)
        let again = try await store.follows.put(FollowSettings(match: known, alerts: []), of: one, clientSequence: 100)
        guard case .stored = again else {
            Issue.record("a followed match cannot be changed at the limit: \(again)")
            return
        }
        let listed = [known, match(100), match(101)].map { FollowSettings(match: $0) }
        let outcome = try #require(try await store.follows.replaceAll(listed, of: one, clientSequence: 99).change)
        #expect(outcome.added == [match(100), match(101)])
        #expect(outcome.outdated == [known], "its newer wish stays")
        #expect(outcome.removed.count == 49)
        #expect(outcome.follows.map(\.match) == [known, match(100), match(101)].sorted())
        #expect(outcome.follows.first { $0.match == known }?.settings.alerts == [])
        let retried = try #require(try await store.follows.replaceAll(listed, of: one, clientSequence: 99).change)
        #expect(retried.added.isEmpty && retried.removed.isEmpty && retried.follows.count == 3)
        let tooMany = (0...FollowLimits.followsPerDevice).map { FollowSettings(match: match($0)) }
        #expect(try await store.follows.replaceAll(tooMany, of: one, clientSequence: 200) == .limitReached)
    }
}

extension FollowListOutcome {
    fileprivate var change: FollowListChange? { if case .replaced(let change) = self { change } else { nil } }
}
