import FollowService
import ScoreTypes
import Testing

@Suite struct FollowsTests {
    private let one = device(1)

    @Test func aLateUnfollowDoesNotUndoANewerFollow() async throws {
        let store = try await Store()
        let wish = FollowWish(match: .final, teamIntent: .first, alerts: [.wicket], surfaces: [.widget, .standby])
        guard case .stored = try await store.follows.put(wish, of: one, clientSeq: 2) else {
            Issue.record("the first follow was not stored")
            return
        }
        guard case .outdated(let held) = try await store.follows.remove(.final, of: one, clientSeq: 1) else {
            Issue.record("a late unfollow was taken")
            return
        }
        #expect(held.isWanted && held.clientSeq == 2)
        guard case .unchanged = try await store.follows.put(wish, of: one, clientSeq: 2) else {
            Issue.record("a retry was written")
            return
        }
        guard case .stored(let gone, _) = try await store.follows.remove(.final, of: one, clientSeq: 3) else {
            Issue.record("a newer unfollow was not taken")
            return
        }
        #expect(!gone.isWanted && gone.teamIntent == .first && gone.alerts == [.wicket])
        #expect(gone.surfaces == [.widget, .standby])
        #expect(try await store.follows.list(one).isEmpty)
        guard case .outdated = try await store.follows.put(wish, of: one, clientSeq: 2) else {
            Issue.record("a late follow revived what was unfollowed")
            return
        }
    }

    @Test func anUnfollowBeforeItsFollowLeavesAMark() async throws {
        let store = try await Store()
        _ = try await store.follows.remove(.final, of: one, clientSeq: 5)
        guard case .outdated = try await store.follows.put(FollowWish(match: .final), of: one, clientSeq: 4) else {
            Issue.record("the overtaken follow was taken")
            return
        }
        #expect(try await store.follows.list(one).isEmpty)
    }

    @Test func fiftyMatchesAreTheLimitAndTheListReplacesAll() async throws {
        let store = try await Store()
        func match(_ number: Int) -> MatchID { MatchID(unchecked: "m\(number)") }
        let outcomes = try await withThrowingTaskGroup(of: FollowOutcome.self) { group in
            for number in 0..<60 {
                group.addTask {
                    try await store.follows.put(FollowWish(match: match(number)), of: one, clientSeq: Int64(number))
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.filter { $0 == .limitReached }.count == 10)
        let held = try await store.follows.list(one).map(\.match)
        #expect(held.count == Follows.perDeviceMax)
        let known = try #require(held.first)
        let again = try await store.follows.put(FollowWish(match: known, alerts: []), of: one, clientSeq: 100)
        guard case .stored = again else {
            Issue.record("a followed match cannot be changed at the limit: \(again)")
            return
        }
        let listed = [known, match(100), match(101)].map { FollowWish(match: $0) }
        let outcome = try #require(try await store.follows.replaceAll(listed, of: one, clientSeq: 99).change)
        #expect(outcome.added == [match(100), match(101)])
        #expect(outcome.outdated == [known], "its newer wish stays")
        #expect(outcome.removed.count == 49)
        #expect(outcome.follows.map(\.match) == [known, match(100), match(101)].sorted())
        #expect(outcome.follows.first { $0.match == known }?.alerts == [])
        let retried = try #require(try await store.follows.replaceAll(listed, of: one, clientSeq: 99).change)
        #expect(retried.added.isEmpty && retried.removed.isEmpty && retried.follows.count == 3)
        let tooMany = (0...Follows.perDeviceMax).map { FollowWish(match: match($0)) }
        #expect(try await store.follows.replaceAll(tooMany, of: one, clientSeq: 200) == .limitReached)
    }
}

extension FollowListOutcome {
    fileprivate var change: FollowListChange? { if case .replaced(let change) = self { change } else { nil } }
}
