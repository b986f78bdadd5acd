// Apple's limit: the matches nearest to their start keep or get their channels.

import FollowService
import ScoreTypes
import Testing

@testable import LiveActivities

@Suite struct ChannelPlanTests {
    private func kind(_ name: String) -> ChannelKind {
        ChannelKind(
            match: MatchID(unchecked: name),
            environment: .sandbox,
            attributesType: "T",
            profile: .loud
        )
    }

    private func requests(_ hours: Int64...) -> [ChannelRequest] {
        hours.map { ChannelRequest(kind: kind("in \($0)"), startsAt: Instant(milliseconds: $0)) }
    }

    private func unused(_ hours: Int64...) throws -> [(channel: ChannelRecord, startsAt: Instant)] {
        try hours.map { hours in
            let record = ChannelRecord(
                match: MatchID(unchecked: "unused \(hours)"),
                environment: .sandbox,
                attributesType: "T",
                profile: .loud,
                generation: 1,
                channel: try #require(ChannelID("bG91Z\(hours)")),
                createdAt: Instant(milliseconds: 0)
            )
            return (record, Instant(milliseconds: hours))
        }
    }

    @Test func allAreCreatedBelowTheLimit() throws {
        let plan = ChannelPlan(requests: requests(1, 2), unused: [], capacity: 2)
        #expect(plan.creations.map(\.match.text) == ["in 1", "in 2"])
        #expect(plan.deletions.isEmpty && plan.refusedCount == 0)
    }

    @Test("at the limit a request replaces the unused channel of the latest match, if that begins later")
    func aNearerMatchReplacesTheLatestOne() throws {
        let plan = ChannelPlan(requests: requests(1, 5, 20, 30), unused: try unused(40, 20, 10), capacity: 1)
        let created = plan.creations.map(\.match.text)
        #expect(created == ["in 1", "in 5"], "of two that begin together the existing one stays")
        #expect(plan.deletions.map(\.match.text) == ["unused 40"])
        #expect(plan.refusedCount == 2)
    }

    @Test func aboveTheLimitOnlyReplacementsAreCreated() throws {
        let plan = ChannelPlan(requests: requests(1, 2, 3), unused: try unused(9, 8), capacity: -4)
        #expect(plan.creations.map(\.match.text) == ["in 1", "in 2"])
        #expect(plan.deletions.map(\.match.text) == ["unused 9", "unused 8"])
        #expect(plan.refusedCount == 1)
    }
}
