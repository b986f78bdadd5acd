// Sender and receiver count every push once, and the count needs no further event to become visible.

import HTTP2
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct AccountingTests {
    @Test("the status counts what a sink counts, state after state, without a further event")
    func theStatusEqualsTheCountOfTheSink() async throws {
        let identity = try TLSIdentity.selfSigned(commonName: "sink", addresses: ["127.0.0.1"])
        let sink = try await APNsSink.start(identity: identity)
        let server = DispatcherConfiguration.Endpoint(host: "127.0.0.1", port: UInt16(sink.port))
        let configuration = DispatcherConfiguration(
            bundleID: AppleSide.bundle,
            teamID: AppleSide.team,
            keyID: AppleSide.keyID,
            signingKey: try SigningKey(pem: Fixture.keyPEM()),
            environments: [.sandbox: DispatcherConfiguration.Endpoints(push: server, management: server)],
            authorities: identity.certificatePEM
        )
        let audience = 4000
        let node = Node(configuration, tokens: MemoryTokens(count: audience))
        for revision in 1...3 as ClosedRange<Int64> {
            await node.publish(Fixture.current(revision, cause: .correction))
            try await eventually("all is recorded") { node.progress.count(atLeast: revision) == Bucket.count }
            let expected = Int(revision) * audience
            try await eventually("the status knows all of them", within: .seconds(5)) {
                await node.environment?.accepted == expected
            }
            #expect(sink.answered == expected)
        }
        await node.stop()
        await sink.stop()
    }
}
