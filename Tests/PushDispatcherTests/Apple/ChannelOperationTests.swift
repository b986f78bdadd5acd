// Channel management is observed like pushes: hooks, traps, and a sentence for operators.

import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct ChannelOperationTests {
    private let kind = ChannelKind(
        match: Fixture.match,
        environment: .sandbox,
        attributesType: "LiveActivityAttributes",
        profile: .loud
    )

    @Test func everyRequestIsReportedToTheObserver() async throws {
        let apple = try await AppleSide()
        let attempts = Attempts()
        let node = Node(try apple.configuration(), attempts: attempts)
        let channel = try await node.dispatcher.channels.ensure(kind)
        _ = try await node.dispatcher.channels.list(.sandbox)
        try await node.dispatcher.channels.delete(channel, in: .sandbox)
        let seen = attempts.channels
        #expect(seen.map(\.operation) == [.create, .list, .delete])
        #expect(seen.map(\.status) == [201, 200, 204])
        #expect(seen.allSatisfy { $0.outcome == .accepted && $0.environment == .sandbox && $0.duration > .zero })
        #expect(seen[0].match == Fixture.match && seen[0].fingerprint == seen[2].fingerprint)
        #expect(node.dispatcher.channels.problem(of: .sandbox) == nil)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("MS034: a missing Broadcast capability is a trap, and the problem stays until a creation is accepted")
    func aMissingCapabilityIsATrap() async throws {
        let apple = try await AppleSide()
        apple.simulator.setBroadcastCapability(false)
        let attempts = Attempts()
        let node = Node(try apple.configuration(), attempts: attempts)
        await #expect(throws: ChannelError.unavailable(.featureNotEnabled)) {
            try await node.dispatcher.channels.ensure(kind)
        }
        #expect(attempts.channels.map(\.trap) == ["MS034"])
        #expect(attempts.channels.first?.outcome == .rejected(.stopChannels))
        #expect(attempts.channels.first?.reason.operatorFault == "featureNotEnabled")
        let problem = try #require(node.dispatcher.channels.problem(of: .sandbox))
        #expect(problem.contains("FeatureNotEnabled") && problem.contains("MS034") && problem.contains("sandbox"))
        apple.simulator.setBroadcastCapability(true)
        _ = try await node.dispatcher.channels.list(.sandbox)
        #expect(node.dispatcher.channels.problem(of: .sandbox) != nil, "a list proves no creation")
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("after a request to channel management without an answer, none is made for half a minute")
    func unreachableManagementIsLeftAlone() async throws {
        let apple = try await AppleSide()
        let configuration = try apple.configuration()
        // Nothing listens on its ports any more.
        await apple.simulator.stop()
        let (time, attempts) = (ManualClock(), Attempts())
        let directory = ChannelDirectory(
            configuration: configuration,
            store: MemoryChannels(),
            broadcasts: { _ in true },
            clock: time.clock(),
            idKey: [],
            seed: 1,
            attempts: attempts,
            token: { _ in StoredProviderToken(text: "token", issuedAt: ManualClock.wallAtZero) },
            send: { _, _ in }
        )
        var quiet = kind
        quiet.profile = .quiet
        for _ in 1...2 {
            for kind in [kind, quiet] {
                let error = await #expect(throws: ChannelError.self) { try await directory.ensure(kind) }
                #expect(error?.pause == PushLimits.channelsUnreachable)
            }
        }
        #expect(attempts.channels.count == 1)
        time.advance(by: PushLimits.channelsUnreachable)
        await #expect(throws: ChannelError.self) { try await directory.ensure(kind) }
        #expect(attempts.channels.count == 2)
    }

    @Test func onlyErrorsOfTheEnvironmentPauseCreations() {
        #expect(ChannelError.unavailable(.featureNotEnabled).pause == PushLimits.channelsUnavailable)
        #expect(ChannelError.refused(status: 503, .other).pause == PushLimits.channelsUnreachable)
        #expect(ChannelError.refused(status: 403, .other).pause == nil)
        #expect(ChannelError.unsigned.pause == nil)
    }

    @Test("with storage policy 1 a phone that joins later shows the newest state, and without it the next one")
    func theNewestMessageIsStored() async throws {
        let apple = try await AppleSide()
        var configuration = try apple.configuration()
        configuration.channelStorage = .newest
        let node = Node(configuration)
        let channel = try await node.dispatcher.channels.ensure(kind)
        #expect(node.channels.state.withLock { $0.records.map(\.storage) } == [.newest])
        let (early, late) = (Screen(0), Screen(1))
        #expect(apple.simulator.subscribe(channel: channel, subscriber: 0) { early.show($0) })
        await node.publish(Fixture.current(1))
        try await eventually("it was sent") { early.newest == 1 }
        #expect(apple.simulator.subscribe(channel: channel, subscriber: 1) { late.show($0) })
        #expect(late.newest == 1, "Apple has stored it")
        await node.stop()

        // The setting has changed; the policy of an existing channel has not.
        configuration.channelStorage = .none
        let successor = Node(configuration, channels: node.channels, providerTokens: node.providerTokens)
        await successor.publish(Fixture.current(2))
        try await eventually("the old channel sends") { late.newest == 2 }
        let plain = try await successor.dispatcher.channels.ensure(
            ChannelKind(
                match: Fixture.match,
                environment: .sandbox,
                attributesType: "LiveActivityAttributes",
                profile: .quiet
            )
        )
        let third = Screen(2)
        await successor.publish(Fixture.current(3, cause: .correction))
        try await eventually("it was sent") { late.newest == 3 }
        #expect(apple.simulator.subscribe(channel: plain, subscriber: 2) { third.show($0) })
        #expect(third.all.isEmpty, "nothing is stored")
        #expect(apple.simulator.statistics.refused.isEmpty)
        await successor.stop()
        await apple.simulator.stop()
    }

    @Test func theOutcomeOfAStartNamesItsChannel() async throws {
        let apple = try await AppleSide()
        _ = apple.phones(0..<2, kind: .pushToStart)
        let node = Node(try apple.configuration())
        let channel = try await node.dispatcher.channels.ensure(kind)
        let onChannel = PushStart(Fixture.recipient(0), subscription: .channel(channel))
        await node.dispatcher.start([onChannel, Fixture.start(1)], with: Fixture.startContent)
        try await eventually("both were started") { node.outcomes.all.count == 2 }
        let channels = Dictionary(node.outcomes.all.map { ($0.device, $0.channel) }) { first, _ in first }
        #expect(channels[Fixture.device(0)] == .some(channel))
        #expect(channels[Fixture.device(1)] == .some(nil))
        await node.stop()
        await apple.simulator.stop()
    }
}
