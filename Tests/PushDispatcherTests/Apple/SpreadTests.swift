// Behaviour 8: connections spread over all addresses of APNs, and a slow one gets less load.

import HTTP2
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct SpreadTests {
    private static let count = 8

    /// Dials as if a name had eight addresses.
    private final class EightAddresses: LaneRuntime {
        private let loop: LoopContext
        private let addresses: [DispatcherConfiguration.Endpoint]

        init(_ context: LoopContext, _ addresses: [DispatcherConfiguration.Endpoint]) {
            (loop, self.addresses) = (context, addresses)
        }

        var now: Duration { loop.now }
        var asleep: Duration { loop.asleep }

        func schedule(after interval: Duration, _ body: @escaping () -> Void) { loop.schedule(after: interval, body) }

        func dial(_ configuration: ClientConfiguration, for link: Link) -> any LinkConnection {
            let address = addresses[configuration.addressOffset % addresses.count]
            var configuration = configuration
            (configuration.host, configuration.port) = (address.host, address.port)
            return loop.dial(configuration, for: link)
        }
    }

    /// One simulator behind eight addresses of this machine.
    private struct Setup {
        let apples: [AppleSide]
        let addresses: [DispatcherConfiguration.Endpoint]

        init() async throws {
            let key = try AppleKey()
            let identity = try TLSIdentity.selfSigned(commonName: "apple", addresses: ["127.0.0.1"])
            var apples: [AppleSide] = []
            for number in 0..<SpreadTests.count {
                apples.append(
                    try await AppleSide(
                        key: key,
                        identity: identity,
                        address: "127.0.0.\(2 + number)",
                        takesUnknownTokens: true
                    )
                )
            }
            self.apples = apples
            addresses = apples.enumerated().map { number, apple in
                .init(host: "127.0.0.\(2 + number)", port: UInt16(apple.simulator.pushPort))
            }
        }

        func node(_ tokens: MemoryTokens) throws -> Node {
            var configuration = try apples[0].configuration()
            configuration.connectionsPerEnvironment = SpreadTests.count
            configuration.requestTimeout = .seconds(60)
            let addresses = addresses
            return Node(
                configuration,
                tokens: tokens,
                thread: { setting in EventLoopLaneThread(setting) { EightAddresses($0, addresses) } }
            )
        }

        var accepted: [Int] { apples.map { $0.simulator.statistics.accepted } }

        func stop() async { for apple in apples { await apple.simulator.stop() } }
    }

    private func notify(_ number: Int, by node: Node) async {
        await node.dispatcher.notify([Fixture.recipient(number)], of: Fixture.match, Fixture.notification("\(number)"))
    }

    @Test("8: of eight addresses none gets twice its share under any load, and a slow one gets less")
    func connectionsSpreadOverEightAddresses() async throws {
        let setup = try await Setup()
        let audience = 16_000
        let node = try setup.node(MemoryTokens(count: audience))
        var requested = 0
        try await eventually("all connections are open") {
            // The others are dialled after the first one has answered a request.
            await notify(0, by: node)
            requested += 1
            return await node.environment?.gauges.connectionsOpen == Self.count
        }
        try await eventually("nothing is under way") { node.outcomes.all.count == requested }

        // Light load: one push at a time finds all eight idle.
        let trickle = 10 * Self.count
        var before = setup.accepted
        for number in 1...trickle {
            await notify(number, by: node)
            try await eventually("it is answered") { node.outcomes.all.count == requested + number }
        }
        let little = zip(setup.accepted, before).map { $0 - $1 }
        #expect(little.reduce(0, +) == trickle)
        #expect(little.allSatisfy { $0 > 0 && $0 <= 2 * trickle / Self.count }, "\(little)")

        // Heavy load, and the last address answers slowly.
        await setup.apples[Self.count - 1].simulator.interfere { _ in .delay(.seconds(3)) }
        before = setup.accepted
        await node.publish(Fixture.current(1))
        try await eventually("all are sent", within: .seconds(100)) {
            node.progress.count(atLeast: 1) == Bucket.count
        }
        let much = zip(setup.accepted, before).map { $0 - $1 }
        #expect(much.reduce(0, +) == audience)
        #expect(much.allSatisfy { $0 <= 2 * audience / Self.count }, "\(much)")
        let fast = try #require(much.dropLast().min())
        #expect(much[Self.count - 1] < fast, "the slow one has less load: \(much)")
        #expect(await node.environment?.failed == 0)
        await node.stop()
        await setup.stop()
    }
}
