import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

@Suite struct ActivityRulesTests {
    private let one = device(1)

    private func registration(
        _ store: Store,
        seq: Int64,
        token number: UInt64 = 1,
        activity: String = "A-1",
        route: ActivityRoute? = nil
    ) throws -> ActivityRegistration {
        ActivityRegistration(
            device: one,
            match: .final,
            activityID: ActivityID(unchecked: activity),
            environment: .production,
            route: try route ?? .token(token(number)),
            startedAt: store.time.now,
            clientSequence: seq
        )
    }

    /// Generation, state and whether the token is empty, as stored.
    private func row(_ store: Store) async throws -> [String] {
        let statement = Statement(
            """
            select gen || ' ' || state || ' ' || activity_id || ' ' || coalesce(end_reason, '-') || ' '
                   || (extract(epoch from started_at - $1) :: int) || ' ' || octet_length(token)
            from activity
            """
        )
        return try await store.pool.query(statement, [.timestamp(Store.start)]) { try $0.text(0) }
    }

    private func changes(_ store: Store) async throws -> Int64 {
        try await store.number(Statement("select count(*) from change"))
    }

    @Test func anActivityThatItsAppEndedStaysEnded() async throws {
        let store = try await Store()
        let id = ActivityID(unchecked: "A-1")
        _ = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 1)
        #expect(
            try await store.activities.end(ActivityEnd(device: one, activityID: id, reason: .ended, clientSequence: 1))
                == .unknown
        )
        _ = try await store.activities.register(registration(store, seq: 5))
        #expect(
            try await store.activities.end(ActivityEnd(device: one, activityID: id, reason: .ended, clientSequence: 4))
                == .outdated(clientSequence: 5)
        )
        for _ in 0..<2 {
            let end = ActivityEnd(device: one, activityID: id, reason: .dismissed, clientSequence: 6)
            #expect(try await store.activities.end(end) == .ended)
        }
        #expect(try await store.activities.register(registration(store, seq: 7)) == .ended(.dismissed))
        #expect(try await store.follows.list(one).map(\.isDismissed) == [true])
        #expect(
            try await store.activities.register(registration(store, seq: 8, activity: "A-2"))
                == .replaced(id, generation: 2)
        )
        #expect(try await changes(store) == 3, "the registration, one end, the new activity")
    }

    /// A push must not start an activity again that its person dismissed while the calls of the phone were late.
    @Test(arguments: [(follow: Int64(3), isDismissed: true), (follow: 5, isDismissed: false)])
    func countsDecideWhetherAFollowIsNewerThanADismissal(follow: Int64, isDismissed: Bool) async throws {
        let store = try await Store()
        try await store.registerDevice(1)
        _ = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 1)
        _ = try await store.follows.remove(.final, of: one, clientSequence: 2)
        let id = ActivityID(unchecked: "A-1")
        let end = ActivityEnd(device: one, activityID: id, reason: .dismissed, clientSequence: 4)
        #expect(try await store.activities.end(end) == .unknown)
        #expect(try await store.activities.register(registration(store, seq: 3)) == .ended(.dismissed))
        _ = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: follow)
        #expect(try await store.follows.list(one).map(\.isDismissed) == [isDismissed])
    }

    /// A phone reports `dismissed` also when a push of ours ended the activity and its user cleared the rest.
    @Test(arguments: [EndReason.over, .silent, .expired, .rejected, .missing, .moved])
    func aDismissalAfterAServerEndDoesNotCount(reason: EndReason) async throws {
        let isPersons = [.rejected, .missing, .moved].contains(reason)
        let store = try await Store()
        _ = try await store.follows.put(FollowSettings(match: .final), of: one, clientSequence: 1)
        _ = try await store.activities.register(registration(store, seq: 2))
        try await store.script("update activity set state = 3, token = '', end_reason = '\(reason.rawValue)'")
        let before = try await changes(store)
        let id = ActivityID(unchecked: "A-1")
        for seq in [2, 3, 3] as [Int64] {
            let end = ActivityEnd(device: one, activityID: id, reason: .dismissed, clientSequence: seq)
            #expect(try await store.activities.end(end) == .ended)
            let isDismissed = try await store.follows.list(one).map(\.isDismissed)
            #expect(isDismissed == [isPersons && seq == 3], "a count that is not higher is ignored")
        }
        let stored = isPersons ? EndReason.dismissed : reason
        #expect(try await row(store) == ["1 3 A-1 \(stored) 0 0"])
        #expect(try await changes(store) == before, "the arenas removed it before")
    }

    @Test func aSupersededCallInABatchReturnsOutdated() async throws {
        let store = try await Store()
        let outcomes = try await withThrowingTaskGroup(of: (Int64, ActivityOutcome).self) { group in
            for seq in 1...20 as ClosedRange<Int64> {
                let call = try registration(store, seq: seq, token: UInt64(seq))
                group.addTask { (seq, try await store.activities.register(call)) }
            }
            return try await group.reduce(into: [:]) { $0[$1.0] = $1.1 }
        }
        guard case .registered(let generation) = outcomes[20] else {
            Issue.record("the newest call was not written: \(outcomes)")
            return
        }
        for outcome in outcomes where outcome.key < 20 {
            switch outcome.value {
            case .registered(let earlier): #expect(earlier < generation)
            case .outdated(let stored): #expect(stored.clientSequence > outcome.key)
            case .replaced, .unchanged, .ended, .unknownDevice: Issue.record("\(outcome)")
            }
        }
    }

    @Test func aServerEndIsReturnedOnceAndFinishedByGeneration() async throws {
        let store = try await Store()
        _ = try await store.activities.register(registration(store, seq: 1))
        let ending = try #require(
            try await store.activities.beginEnd(match: .final, device: one, reason: .unfollowed)
        )
        #expect(ending.generation == 1)
        let late = try await store.activities.beginEnd(match: .final, device: one, before: 1, reason: .unfollowed)
        #expect(late == nil, "only what was registered before")
        #expect(ending.route == .token(try token(1)))
        #expect(try await row(store) == ["1 2 A-1 unfollowed 0 80"])
        _ = try await store.activities.register(registration(store, seq: 2, activity: "A-2"))
        #expect(try await store.activities.finishEnd(of: [ending]) == 0, "a newer activity is not changed")
        let newer = try #require(try await store.activities.beginEnd(match: .final, device: one, reason: .over))
        #expect(try await store.activities.finishEnd(of: [newer]) == 1)
        #expect(try await row(store) == ["2 3 A-2 over 0 0"])
        #expect(try await store.activities.beginEnd(match: .final, device: one, reason: .over) == nil)
    }
}
