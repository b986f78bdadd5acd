// A minute without APNs in virtual time: few dials, and every phone receives the newest state afterwards.

import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(1)))
struct OutageTests {
    @Test("7: during a minute without APNs each slot dials less than once a second, and then all is sent")
    func dialsHaveGrowingIntervals() async throws {
        let match = MatchID(unchecked: "m1")
        let world = SimulatedWorld(seed: 7)
        let (tokens, phones) = (SimulatedTokens(), SimulatedPhones(world))
        try phones.add(20, of: match, tokens: tokens)
        let apple = SimulatedApple(world, .none, phones)
        apple.luck.unreachable = 1
        let node = try SimulatedNode(world, apple, tokens: tokens)
        var revision: Int64 = 0
        func pass(_ span: Duration) async {
            let end = world.elapsed + span
            while world.elapsed < end {
                world.advance(to: world.now + .milliseconds(100))
                await node.look()
            }
        }
        func publish() async {
            revision += 1
            var publication = Fixture.publication(revision, match: match, cause: .correction)
            publication.apnsTimestamp = world.wall.seconds
            await node.dispatcher.publish(publication)
            await node.look()
        }
        for _ in 0..<12 {
            await publish()
            await pass(.seconds(5))
        }
        let slots = await node.dispatcher.status().environments.first?.gauges.connections ?? 0
        #expect(slots >= 2)
        #expect(apple.dials.count >= slots, "it is dialled")
        #expect(apple.dials.count <= 7 * slots, "intervals grow: \(apple.dials)")
        #expect(apple.dialling.most <= slots, "one dial a slot")
        #expect(phones.all.allSatisfy { $0.shown == 0 })
        apple.luck.unreachable = 0
        // The longest wait between two dials is a minute.
        await pass(.seconds(61))
        #expect(phones.all.allSatisfy { $0.shown == revision && $0.wentBack == 0 })
        await node.stop()
    }
}
