// A node as `serve` makes it, with its listeners on free ports.

import Logging
import MatchJournal
import MatchSamples
import Postgres
import Providers
import ScoreTypes
import ServiceLifecycle
import Simulators
import TestSupport
import Testing

@testable import ScoreServer

/// A running node with a client.
struct WholeNode: Sendable {
    let node: Node
    let publicClient: WireClient
    let internalClient: WireClient

    /// Registers a phone; returns the headers with its credential, the same for the same key.
    func register(key: String = "0123456789abcdef") async throws -> [String: String] {
        let key = ["Idempotency-Key": key]
        let body = Samples.registration.replacing("com.example.scores", with: APNsTestAccount.bundleID)
        let answer = try await publicClient.send("POST", "/v1/devices", key, json: body)
        #expect(answer.status == 201)
        return ["Authorization": "Bearer \(try #require(answer.json["credential"]?.string))"]
    }
}

extension NodeSetup {
    /// Runs a whole node during the body, once it is ready.
    func withWholeNode(
        _ extra: [String: String] = [:],
        name: String = "whole",
        clock: ServiceClock = ServiceClock(),
        _ body: @Sendable (WholeNode) async throws -> Void
    ) async throws {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let services = try await NodeServices(
            settings: try settings(name, extra),
            database: info,
            clock: clock,
            metrics: MetricRegistry(),
            logger: logger
        )
        let node = try Node(services)
        let group = node.group(endedBy: [], logger: logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            let whole = WholeNode(
                node: node,
                publicClient: WireClient(port: try await node.publicListener.port()),
                internalClient: WireClient(port: try await node.internalListener.port())
            )
            let result: Result<Void, any Error>
            do {
                try await eventually("ready") { try await whole.internalClient.get("/readyz").status == 200 }
                result = .success(try await body(whole))
            } catch {
                result = .failure(error)
            }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
            try result.get()
        }
    }
}
