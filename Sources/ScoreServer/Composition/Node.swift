// One server process: its services start in order and stop in reverse.

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
    let hasFeeds: Bool
    let membership: Membership
    let ingest: IngestServices
    let arenas: ArenaIndex
    /// nil without a signing key.
    let push: LiveActivityServices?
    /// nil without a signing key.
    let keyWatch: SigningKeyWatch?
    let ownership: BucketOwnership
    let health: NodeHealth
    let publicListener: HTTPListener
    let internalListener: HTTPListener
    let recent: RecentMatches

    /// Runs until a signal, or until a service fails.
    func run(logger: Logger) async throws {
        try await group(endedBy: [.sigterm, .sigint], logger: logger).run()
    }

    /// The services of the node.
    func group(endedBy signals: [UnixSignal], logger: Logger) -> ServiceGroup {
        var services: [ServiceGroupConfiguration.ServiceConfiguration] = []
        func add(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
            services.append(.init(service: Running(name: name, body: body)))
        }
        // Shutdown runs in reverse: the listeners stop first, the term ends last.
        add("membership") { try await membership.run() }
        add("arenas") {
            await arenas.run { late in
                if let push { for token in late { push.dispatcher.late(token) } }
            }
        }
        add("buckets") { await ownership.run() }
        for part in push?.parts ?? [] { add(part.name) { await part.run() } }
        if let keyWatch { add("signing key") { await keyWatch.run() } }
        add("publisher") { await ingest.publisher.run() }
        add("results") { await recent.run() }
        if let captures = ingest.captures { add("captures") { await captures.run() } }
        add("ticker") { await ingest.ticker.run() }
        add("orders") { await ingest.orders.run() }
        // A node without feeds serves and pushes what other nodes write.
        if hasFeeds {
            add("ingest") {
                await ingest.orders.ready()
                await ingest.polling.run()
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

/// A service that runs until it is cancelled.
struct Running: Service {
    let name: String
    let body: @Sendable () async throws -> Void

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            try await body()
            // A service that returns early has logged the reason; the whole node ends.
            if !Task.isCancelled { throw PartEnded(part: name) }
        }
    }
}

/// A service ended by itself, which ends the node.
struct PartEnded: Error, CustomStringConvertible {
    let part: String
    var description: String { "The \(part) ended by itself; the process ends so that another node takes over." }
}

/// Fails the readiness check first when the node shuts down.
struct Draining: Service {
    let health: NodeHealth

    func run() async throws {
        try? await gracefulShutdown()
        health.drain()
    }
}
