// A phone without an accepted push has a completed bucket; only the dispatcher can report it to the sweep.

import ScoreTypes
import Synchronization
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct SilentPhoneTests {
    private static let match = MatchID(unchecked: "m1")
    /// In one test every other token is bad: too many to be quarantined.
    private static let phoneCount = 60

    private final class Setup {
        let world = SimulatedWorld(seed: 11)
        let phones: SimulatedPhones
        let apple: SimulatedApple
        let node: SimulatedNode
        private var revision: Int64 = 0

        init() throws {
            let tokens = SimulatedTokens()
            phones = SimulatedPhones(world)
            try phones.add(phoneCount, of: match, tokens: tokens)
            apple = SimulatedApple(world, .none, phones)
            apple.luck.latency = 20...40
            node = try SimulatedNode(world, apple, tokens: tokens)
        }

        /// Gives the token of a phone the same answer from now on.
        func setAnswer(_ number: Int, _ fate: SimulatedApple.Fate?) {
            guard let token = phones.all[number].token else { return }
            apple.fates[SimulatedPhones.path(token)] = fate
        }

        /// Publishes balls at a fixed interval for a while.
        func play(_ span: Duration, every pause: Duration = .seconds(25)) async {
            let end = world.elapsed + span
            while world.elapsed < end {
                revision += 1
                var publication = Fixture.publication(revision, match: match)
                publication.apnsTimestamp = world.wall.seconds
                await node.dispatcher.publish(publication)
                let next = world.elapsed + pause
                while world.elapsed < next {
                    world.advance(to: world.now + .milliseconds(250))
                    await node.look()
                }
            }
        }

        /// The devices that the sweep would find now.
        func silent() async -> [Int] {
            let found = await node.dispatcher.exceptions(silentFor: .seconds(30 * 60))
            return found.compactMap { found in phones.all.firstIndex { $0.device == found.device } }.sorted()
        }
    }

    @Test("a phone whose requests are throttled or fail is found after half an hour and not before")
    func withoutAnAcceptedState() async throws {
        let setup = try Setup()
        setup.setAnswer(1, .throttled)
        setup.setAnswer(2, .faulty)
        await setup.play(.seconds(29 * 60))
        #expect(await setup.silent().isEmpty)
        await setup.play(.seconds(2 * 60))
        #expect(await setup.silent() == [1, 2])
        let healthy = setup.phones.all.count { $0.shown > 70 }
        #expect(healthy == Self.phoneCount - 2, "every other phone has the newest state")
        await setup.node.stop()
    }

    @Test("a repeated state has a deadline ahead, however long nothing was published")
    func repeatsHaveADeadlineAhead() async throws {
        let setup = try Setup()
        setup.setAnswer(1, .faulty)
        var repeated = 0
        var expired: [Int64] = []
        setup.apple.observer = { [world = setup.world] request in
            guard world.elapsed > .seconds(120) else { return }
            repeated += 1
            if request.expiration <= world.wall.seconds { expired.append(request.expiration) }
        }
        await setup.play(.seconds(600), every: .seconds(600))
        #expect(repeated > 5)
        #expect(expired.isEmpty)
        await setup.node.stop()
    }

    @Test("a phone that received one state in between is not silent, however often it was throttled")
    func withOneAcceptedState() async throws {
        let setup = try Setup()
        setup.setAnswer(1, .throttled)
        await setup.play(.seconds(5 * 60))
        setup.setAnswer(1, nil)
        // No ball for long, so that only its own answer shows that it was served.
        await setup.play(.seconds(30 * 60), every: .seconds(30 * 60))
        #expect(await setup.silent().isEmpty)
        await setup.node.stop()
    }

    @Test("bad tokens that are kept because there are too many are reported as silent too")
    func withheld() async throws {
        let setup = try Setup()
        let bad = Array(stride(from: 0, to: Self.phoneCount, by: 2))
        for number in bad { setup.setAnswer(number, .malformed) }
        await setup.play(.seconds(31 * 60))
        #expect(await setup.silent() == bad)
        await setup.node.stop()
    }
}
