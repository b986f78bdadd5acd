// A node shuts down between buckets, so that its successor repeats nothing.

import HTTP2
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher
@testable import Simulators

@Suite(.timeLimit(.minutes(2)))
struct DepartureTests {
    @Test(
        "H4, 25: after a shutdown during a burst a successor continues, and no alert is sent twice",
        arguments: [false, true]
    )
    func aShutdownEndsBetweenBuckets(besideAnEmptyEnvironment isBeside: Bool) async throws {
        let key = try AppleKey()
        let identity = try TLSIdentity.selfSigned(commonName: "apple", addresses: ["127.0.0.1"])
        let apple = try await AppleSide(key: key, identity: identity)
        let production = try await AppleSide(key: key, identity: identity)
        let audience = 6000
        let screens = apple.phones(0..<audience)
        // Eight rounds of all streams: at the shutdown some bucket is partly walked.
        await apple.simulator.interfere { _ in .delay(.milliseconds(300)) }
        let (progress, shared) = (MemoryProgress(), MemoryProviderTokens())
        let tokens = MemoryTokens(count: audience)
        var configuration = try apple.configuration()
        configuration.connectionsPerEnvironment = 1
        configuration.connectionsMax = 1
        if isBeside { configuration.environments[.production] = production.endpoints }
        let first = Node(configuration, tokens: tokens, progress: progress, providerTokens: shared)
        await first.publish(Fixture.current(1, alert: "w1"))
        try await eventually("it is under way") { screens.count { $0.newest == 1 } > 1000 }
        await first.stop()
        let reached = screens.count { $0.newest == 1 }
        #expect(reached < audience, "the fan-out was complete before the shutdown")
        let second = Node(configuration, tokens: tokens, progress: progress, providerTokens: shared)
        await second.publish(Fixture.current(1, alert: "w1"))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        #expect(screens.allSatisfy { $0.alerts == 1 })
        await second.stop()
        await apple.simulator.stop()
        await production.simulator.stop()
    }

    /// A node that sends an alert under revision 1 and stops, then one whose head is a newer revision with the alert.
    private func restart(
        _ apple: AppleSide,
        _ screens: [Screen],
        channels: MemoryChannels = MemoryChannels(),
        beforeTheStop: (MemoryProgress) async throws -> Void
    ) async throws {
        let (progress, shared) = (MemoryProgress(), MemoryProviderTokens())
        let tokens = MemoryTokens(count: screens.count)
        func node() throws -> Node {
            Node(
                try apple.configuration(),
                tokens: tokens,
                progress: progress,
                channels: channels,
                providerTokens: shared,
                speed: 1
            )
        }
        let first = try node()
        await first.publish(Fixture.current(1, alert: "w1"))
        try await beforeTheStop(progress)
        await first.stop()
        await apple.simulator.interfere(nil)
        let second = try node()
        var head = Fixture.current(2, alert: "w1", cause: .correction)
        head.alertRevision = 1
        await second.publish(head)
        try await eventually("all phones show 2") { screens.allSatisfy { $0.newest == 2 } }
        #expect(screens.allSatisfy { $0.alerts <= 1 }, "no alert is sent twice")
        await second.stop()
        await apple.simulator.stop()
    }

    @Test("H4, 25: a stop during answers that come too late repeats no alert, on tokens and on a loud channel")
    func aStopDuringSlowAnswersRepeatsNoAlert() async throws {
        let apple = try await AppleSide()
        let record = try ChannelRecord(
            match: Fixture.match,
            environment: .sandbox,
            attributesType: "LiveActivityAttributes",
            profile: .loud,
            generation: 1,
            channel: #require(apple.simulator.state.directory.create(policy: 0)),
            createdAt: Fixture.committedAt
        )
        let channels = MemoryChannels()
        channels.state.withLock { $0.records = [record] }
        let listener = Screen(1000)
        _ = apple.simulator.subscribe(channel: record.channel, subscriber: 1000) { listener.show($0) }
        let screens = apple.phones(0..<200) + [listener]
        await apple.simulator.interfere { $0.isBroadcast || $0.number % 2 == 0 ? .delay(.seconds(6)) : nil }
        try await restart(apple, screens, channels: channels) { _ in
            try await eventually("APNs has all") { screens.allSatisfy { $0.alerts == 1 } }
        }
    }

    @Test("25: a stopped node leaves no thread that uses OpenSSL")
    func aStoppedNodeLeavesNoThread() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<10)
        let hasEnded = Flag()
        let node = Node(
            try apple.configuration(),
            tokens: MemoryTokens(count: 10),
            thread: { setting in EventLoopLaneThread(setting) { WatchedLoop($0, hasEnded) } }
        )
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        await node.stop()
        #expect(hasEnded.isSet)
        await apple.simulator.stop()
    }

    private final class Flag: Sendable {
        private let state = Mutex(false)
        var isSet: Bool { state.withLock { $0 } }
        func set() { state.withLock { $0 = true } }
    }

    /// A loop that notes when its thread has released the lane.
    private final class WatchedLoop: LaneRuntime {
        private let loop: LoopContext
        private let hasEnded: Flag

        init(_ loop: LoopContext, _ hasEnded: Flag) { (self.loop, self.hasEnded) = (loop, hasEnded) }

        deinit { hasEnded.set() }

        var now: Duration { loop.now }
        var asleep: Duration { loop.asleep }
        func schedule(after interval: Duration, _ body: @escaping () -> Void) { loop.schedule(after: interval, body) }
        func dial(_ configuration: ClientConfiguration, for link: Link) -> any LinkConnection {
            loop.dial(configuration, for: link)
        }
    }

    @Test("25: a stop while a token waits for its repeat repeats no alert of its bucket")
    func aStopDuringARepeatRepeatsNoAlert() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<3000)
        let failing = Fixture.token(7).bytes
        await apple.simulator.interfere { arrival in
            arrival.recipient == failing ? .answer(status: 500, reason: "InternalServerError") : nil
        }
        try await restart(apple, screens) { _ in
            try await eventually("all others have it") { screens.count { $0.alerts == 1 } == 2999 }
        }
    }

    @Test("25: a store that fails during the stop is tried again until all is recorded")
    func aStopOutlastsAFailingStore() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<200)
        try await restart(apple, screens) { progress in
            progress.state.withLock { $0.failuresLeft = 4 }
            try await eventually("APNs has all") { screens.allSatisfy { $0.alerts == 1 } }
        }
    }
}
