// One server process: every room made, joined and run, and taken down in order.

import FollowService
import Foundation
import LiveActivities
import Logging
import MatchJournal
import Metrics
import Postgres
import PushDispatcher
import ScoreIngest
import ScoreTypes
import ServiceLifecycle
import Synchronization
import UnixSignals

/// Builds and runs a node.
struct Node: Sendable {
    let settings: ServerConfiguration
    let membership: Membership
    let pipeline: Pipeline
    let arenas: ArenaIndex
    /// nil without a signing key.
    let push: LiveActivityServices?
    /// nil without a signing key.
    let keyWatch: SigningKeyWatch?
    let ownership: BucketOwnership
    let health: HealthJoin
    let publicListener: HTTPListener
    let internalListener: HTTPListener
    let recent: RecentMatches

    /// Runs until shutdown is asked for, or a part fails.
    func run(logger: Logger) async throws {
        try await group(endedBy: [.sigterm, .sigint], logger: logger).run()
    }

    /// All parts, ready to be run.
    func group(endedBy signals: [UnixSignal], logger: Logger) -> ServiceGroup {
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        func add(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
            services.append(.init(service: Running(name: name, body: body)))
        }
        // Shutdown runs in reverse: listeners first, the term last.
        add("membership") { try await membership.run() }
        add("arenas") {
            await arenas.run { late in
                if let push { for token in late { push.dispatcher.late(token) } }
            }
        }
        add("buckets") { await ownership.run() }
        for part in push?.parts ?? [] { add(part.name) { await part.run() } }
        if let keyWatch { add("signing key") { await keyWatch.run() } }
        add("publisher") { await pipeline.publisher.run() }
        add("results") { await recent.run() }
        if let captures = pipeline.captures { add("captures") { await captures.run() } }
        add("keeper") { await pipeline.keeper.run() }
        add("orders") { await pipeline.orders.run() }
        // A node without feeds has nothing to poll: it serves and pushes what others write.
        if !settings.feeds.isEmpty {
            add("ingest") {
                await pipeline.orders.ready()
                await pipeline.ingest.run()
            }
        }
        services.append(.init(service: internalListener))
        services.append(.init(service: publicListener))
        services.append(.init(service: Draining(health: health)))
        var configuration = ServiceGroupConfiguration(
            services: services,
            gracefulShutdownSignals: signals,
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(20)
        return ServiceGroup(configuration: configuration)
    }
}

/// A part that runs until it is cancelled.
struct Running: Service {
    let name: String
    let body: @Sendable () async throws -> Void

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await body()
            // A part that returns early would end the whole group; it has said why in the log.
            if !Task.isCancelled { throw PartEnded(part: name) }
        }
    }
}

/// A part of the node ended by itself, which ends the node.
struct PartEnded: Error, CustomStringConvertible {
    let part: String
    var description: String { "The \(part) ended by itself; the process ends so that another can take over." }
}

/// Takes the node out of traffic first.
struct Draining: Service {
    let health: HealthJoin

    func run() async throws {
        try? await gracefulShutdown()
        health.drain()
    }
}
