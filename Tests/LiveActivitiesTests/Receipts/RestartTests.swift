// A stuck activity is started again once, whatever its route, and only where a push may start it.

import FollowService
import MatchSamples
import Postgres
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import LiveActivities

@Suite(.timeLimit(.minutes(2))) struct RestartTests {
    /// A report that proves that an activity is stuck.
    private func proof(_ number: Int, name: String = "old") -> Receipt {
        let now = ServiceClock().wall
        return Receipt(
            device: PushSetup.device(number),
            activity: ShownActivity(
                activityID: ActivityID(unchecked: "\(name)-\(number)"),
                match: Samples.match,
                shown: 1,
                accepted: 7,
                startedAt: now + .seconds(-3600)
            ),
            observedAt: now
        )
    }

    @Test("a stuck activity on a token or a channel is started again once")
    func restartsAreSentOnce() async throws {
        try await PushSetup.withAudience { setup, node in
            let screens = [101, 102, 104].map { setup.screen($0, .pushToStart) }
            try await node.phone(1, startToken: 101)
            try await node.phone(2, abilities: [.activities, .frequentPushes, .alerts, .channels], startToken: 102)
            try await node.phone(3)
            try await node.phone(4, startToken: 104)
            let channel = ActivityRoute.channel(try #require(ChannelID("dHN0LWNoYW5uZWw=")))
            try await node.activity(1, name: "old", age: .seconds(3600))
            try await node.activity(2, name: "old", route: channel, age: .seconds(3600))
            try await node.activity(3, name: "old", age: .seconds(3600))
            try await node.activity(4, name: "old", age: .seconds(3600))
            try await node.report()
            node.receipts.published(Samples.match, 7, hash: 7, at: ServiceClock().wall + .seconds(-2000))

            node.receipts.take([proof(1), proof(2), proof(3)])
            try await eventually("both are started again") { screens[..<2].allSatisfy { $0.all.count == 1 } }
            #expect(screens[..<2].allSatisfy { $0.all.last?.event == .start })
            let marked = Statement("select count(*) from follow where restarted_at is not null")
            #expect(try await setup.number(marked) == 2, "the third has no token for starts")
            let listed = node.receipts.stuck(of: Samples.match, after: "", limit: 10)
            #expect(listed.count { $0.restartedAt != nil } == 2 && listed.count == 3)

            // The new activity gets stuck too, and another one for the first time.
            try await node.activity(1, name: "new", route: .token(PushSetup.token(11)), sequence: 2)
            node.receipts.take([proof(1, name: "new"), proof(2)])
            node.receipts.take([proof(4)])
            try await eventually("the fourth is started again") { screens[2].all.count == 1 }
            #expect(screens[..<2].allSatisfy { $0.all.count == 1 }, "never twice")
        }
    }

    @Test func anActivityThatWasReplacedOrUnfollowedIsNotStartedAgain() async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a")
        for number in 1...3 {
            try await node.phone(number, startToken: 100 + number)
            try await node.activity(number, name: "old", age: .seconds(3600))
        }
        _ = try await node.follow.follows.remove(Samples.match, of: PushSetup.device(2), clientSequence: 2)
        let stuck = [(1, "other"), (2, "old"), (3, "old")].map { number, name in
            (device: PushSetup.device(number), activityID: ActivityID(unchecked: "\(name)-\(number)"))
        }
        let first = try await node.follow.renewals.restart(stuck, of: Samples.match)
        #expect(first.map(\.target.device) == [PushSetup.device(3)])
        #expect(try await node.follow.renewals.restart(stuck, of: Samples.match).isEmpty, "on any node")
        await setup.stop(node)
    }

    @Test("a receipt is judged by the node that owns the bucket of its device")
    func receiptsReachTheOwner() async throws {
        let setup = try await PushSetup()
        let nodes = [try await setup.node("a"), try await setup.node("b")]
        // The first claim of the first node takes all, and the second one leaves half to the other node.
        for _ in 0..<3 { for node in nodes { try await node.ownership.claim() } }
        #expect(nodes.allSatisfy { $0.ownership.buckets.count == Bucket.count / 2 })
        let exchanges = nodes.map { ReceiptExchange($0.receipts, info: setup.info, pool: setup.pool) }
        let running = exchanges.map { exchange in Task { await exchange.run() } }
        for node in nodes {
            node.receipts.published(Samples.match, 7, hash: 7, at: ServiceClock().wall + .seconds(-2000))
        }
        let mine = try #require((1...100).first { nodes[0].ownership.owns(Bucket(of: PushSetup.device($0))) })
        let foreign = try #require((1...100).first { nodes[1].ownership.owns(Bucket(of: PushSetup.device($0))) })
        try await eventually("the owner lists it") {
            // A notification before the other node listens is lost, as a phone's next receipt is not.
            nodes[0].receipts.take([proof(mine), proof(foreign)])
            return nodes[1].receipts.stuckCount == 1
        }
        #expect(nodes[0].receipts.stuckCount == 1, "each node lists its own")
        #expect(nodes[1].receipts.stuck(of: nil, after: "", limit: 9).map(\.device) == [PushSetup.device(foreign)])
        nodes[0].receipts.forget([ActivityID(unchecked: "old-\(foreign)")], of: PushSetup.device(foreign))
        try await eventually("the owner forgets it") { nodes[1].receipts.stuckCount == 0 }
        for task in running { task.cancel() }
        for task in running { await task.value }
        await setup.stop(nodes[0], nodes[1])
    }
}
