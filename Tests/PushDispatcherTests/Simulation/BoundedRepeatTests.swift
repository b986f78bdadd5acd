// The repeated sends of a crash stay within their bound, and the bound delays no more than necessary.

import ScoreTypes
import Synchronization
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(1)))
struct BoundedRepeatTests {
    private static let match = MatchID(unchecked: "m1")
    /// Forty in each bucket of the simulation.
    private static let phoneCount = 640
    private static let bound = 50

    /// A node with a state to send.
    private final class Setup {
        let world: SimulatedWorld
        let phones: SimulatedPhones
        let tokens = SimulatedTokens()
        let progress = MemoryProgress()
        private(set) var apple: SimulatedApple
        private(set) var node: SimulatedNode

        init(seed: UInt64) throws {
            world = SimulatedWorld(seed: seed)
            phones = SimulatedPhones(world)
            try phones.add(phoneCount, of: match, tokens: tokens)
            apple = SimulatedApple(world, .none, phones)
            node = try Self.node(world, apple, tokens, progress)
        }

        private static func node(
            _ world: SimulatedWorld,
            _ apple: SimulatedApple,
            _ tokens: SimulatedTokens,
            _ progress: MemoryProgress
        ) throws -> SimulatedNode {
            var configuration = DispatcherConfiguration(
                bundleID: "app.score",
                teamID: "TEAMTEAM01",
                keyID: "ABCDEFGHIJ",
                signingKey: try SigningKey(pem: Fixture.keyPEM()),
                environments: [.production: .apple(.production)]
            )
            configuration.unrecordedSendsMax = bound
            return try SimulatedNode(
                configuration,
                world,
                apple,
                tokens: tokens,
                progress: progress,
                channels: MemoryChannels(),
                providerTokens: MemoryProviderTokens(clock: world.clock)
            )
        }

        /// kill -9, and a successor with the same stores and a healthy APNs.
        func replace() throws {
            apple.isNodeDead = true
            apple = SimulatedApple(world, .none, phones)
            node = try Self.node(world, apple, tokens, progress)
        }

        func publish(_ revision: Int64) async {
            var publication = Fixture.publication(revision, match: match, cause: .correction)
            publication.apnsTimestamp = world.wall.seconds
            await node.dispatcher.publish(publication)
        }

        /// Advances time until a condition holds; returns how long that took.
        func pass(atMost span: Duration, until holds: () -> Bool = { false }) async -> Duration {
            let begin = world.elapsed
            while world.elapsed < begin + span, !holds() {
                world.advance(to: world.now + .milliseconds(20))
                await node.look()
            }
            return world.elapsed - begin
        }
    }

    @Test("16: an answer of 500 to one token in twenty delays only its own phone", arguments: [1, 2, 3])
    func aFailingTokenDelaysOnlyItsPhone(_ seed: UInt64) async throws {
        let setup = try Setup(seed: seed)
        _ = await setup.pass(atMost: .seconds(1))
        setup.apple.luck.serverFault = 0.05
        setup.apple.streamsAllowed = 200...200
        await setup.publish(1)
        let most = await setup.pass(atMost: .seconds(30)) {
            setup.phones.all.count { $0.shown == 1 } >= Self.phoneCount * 9 / 10
        }
        #expect(most < .seconds(1.5), "nine of ten have it after \(most)")
        let all = await setup.pass(atMost: .seconds(120)) { setup.phones.all.allSatisfy { $0.shown == 1 } }
        #expect(setup.phones.all.allSatisfy { $0.shown == 1 && $0.wentBack == 0 }, "all have it after \(all)")
        await setup.node.stop()
    }

    @Test("a: a successor sends the state to the devices that a bucket was recorded without")
    func aSuccessorSendsOwedStates() async throws {
        let setup = try Setup(seed: 5)
        setup.apple.streamsAllowed = 200...200
        _ = await setup.pass(atMost: .seconds(1))
        setup.apple.luck.serverFault = 0.1
        await setup.publish(1)
        _ = await setup.pass(atMost: .seconds(30)) {
            setup.progress.count(Self.match, atLeast: 1) == SimulatedTokens.buckets.count
        }
        let left = setup.phones.all.count { $0.shown == 0 }
        #expect(left > 0, "all are recorded, and some did not receive it")
        try setup.replace()
        await setup.publish(1)
        _ = await setup.pass(atMost: .seconds(20)) { setup.phones.all.allSatisfy { $0.shown == 1 } }
        #expect(setup.phones.all.allSatisfy { $0.shown == 1 })
        await setup.node.stop()
    }

    @Test("a: while nothing can be recorded, sends stop at open requests plus the bound")
    func sendsStopWithinABucket() async throws {
        let setup = try Setup(seed: 4)
        setup.apple.streamsAllowed = 10...10
        _ = await setup.pass(atMost: .seconds(1))
        setup.progress.state.withLock { $0.failuresLeft = .max }
        await setup.publish(1)
        _ = await setup.pass(atMost: .seconds(20))
        let alerted = setup.phones.all.count { $0.shown == 1 }
        // Two connections of ten streams each.
        #expect((Self.bound...Self.bound + 20).contains(alerted), "\(alerted)")
        setup.progress.state.withLock { $0.failuresLeft = 0 }
        _ = await setup.pass(atMost: .seconds(60)) { setup.phones.all.allSatisfy { $0.shown == 1 } }
        #expect(setup.phones.all.allSatisfy { $0.shown == 1 })
        await setup.node.stop()
    }

    @Test func aBucketLargerThanTheBoundIsFinishedWhenNothingElseCan() {
        func allowance(_ recording: Int, _ answered: Int, _ underWay: Int) -> WalkAllowance {
            WalkAllowance(bound: 10, recording: recording, answered: answered, underWay: underWay)
        }
        #expect(allowance(4, 5, 5) == .all)
        #expect(allowance(4, 6, 6) == .nothing, "unrecorded sends count")
        #expect(allowance(0, 12, 11) == .nothing, "open requests count")
        #expect(allowance(0, 12, 12) == .bucketUnderWay)
        #expect(allowance(10, 0, 0) == .nothing)
    }
}
