// Over a network each stream waits for its answer, so that the rate depends on the number of connections.

import HTTP2
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct RoundTripTests {
    @Test("a fan-out over a round trip opens further connections, within their bound, and sends every push once")
    func aFanOutOpensMoreConnections() async throws {
        let identity = try TLSIdentity.selfSigned(commonName: "sink", addresses: ["127.0.0.1"])
        // So long that a thread of a debug build sleeps, too.
        let sink = try await APNsSink.start(identity: identity, roundTrip: .milliseconds(400))
        let server = DispatcherConfiguration.Endpoint(host: "127.0.0.1", port: UInt16(sink.port))
        let configuration = DispatcherConfiguration(
            bundleID: AppleSide.bundle,
            teamID: AppleSide.team,
            keyID: AppleSide.keyID,
            signingKey: try SigningKey(pem: Fixture.keyPEM()),
            environments: [.sandbox: DispatcherConfiguration.Endpoints(push: server, management: server)],
            authorities: identity.certificatePEM,
            connectionsPerEnvironment: 1,
            connectionsMax: 4
        )
        let audience = 20_000
        let node = Node(configuration, tokens: MemoryTokens(count: audience))
        await node.publish(Fixture.current(1, cause: .correction))
        try await eventually("all is recorded", within: .seconds(60)) {
            node.progress.count(atLeast: 1) == Bucket.count
        }
        try await eventually("the sink has all", within: .seconds(5)) { sink.answered == audience }
        try await eventually("more connections are open", within: .seconds(5)) {
            (2...4).contains(await node.environment?.gauges.connectionsOpen ?? 0)
        }
        #expect(await node.environment?.failed == 0)
        await node.stop()
        await sink.stop()
    }
}
