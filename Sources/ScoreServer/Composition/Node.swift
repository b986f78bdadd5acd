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

/// Runs the services of a node behind its two listeners.
struct Node: Sendable {
    let services: NodeServices
    let publicListener: HTTPListener
    let internalListener: HTTPListener

    init(_ services: NodeServices) throws {
        self.services = services
        publicListener = services.publicListener()
        internalListener = try services.internalListener()
    }

    /// The services that watch over the node and its data.
    private var upkeep: [(name: String, run: @Sendable () async -> Void)] {
        let services = services
        let drain = DrainWatch(services.membership, services.hub, services.health, services.metrics)
        var upkeep: [(name: String, run: @Sendable () async -> Void)] = [
            ("flags", { await services.flagWatch.run(services.database) }),
            ("audit upkeep", { await services.audit.run() }),
            ("pool gauges", { await PoolGauges(pools: services.pools.all).run() }),
            ("task lag", { await TaskLag(clock: services.clock).run() }),
            ("drain", { await drain.run() }),
            ("sweeps", { await services.sweeps.run() }),
            ("corrections", { await services.ingest.learning.run() }),
        ]
        if let systemd = SystemdWatchdog(environment: ProcessInfo.processInfo.environment) {
            let listener = publicListener
            upkeep.append(("systemd watchdog", { await systemd.run { _ = try await listener.port() } }))
        }
        return upkeep
    }

    /// The services of the node, which run until a signal, or until one of them fails.
    func group(endedBy signals: [UnixSignal], logger: Logger) -> ServiceGroup {
        var running: [ServiceGroupConfiguration.ServiceConfiguration] = []
        func add(_ name: String, _ body: @escaping @Sendable () async throws -> Void) {
            running.append(.init(service: Running(name: name, body: body)))
        }
        // Shutdown runs in reverse: the last service stops the public listener, whose connections end while the others
        // stop; the term ends last.
        add("membership") {
            // Thousands of phones that connect at once occupy the shared threads longer than a term lasts.
            let thread = ThreadExecutor(name: "membership", owner: .tasks)
            defer { thread.stop() }
            try await withTaskExecutorPreference(thread) { try await services.membership.run() }
        }
        running.append(.init(service: internalListener))
        running.append(.init(service: publicListener))
        add("arenas") {
            await services.followers.arenas.run { late in services.push?.dispatcher.late(late) }
        }
        add("buckets") { await services.ownership.run() }
        let revocations = RevocationWatch(
            devices: services.operated.devices,
            credentials: services.credentials,
            hub: services.hub,
            clock: services.clock
        )
        add("revocations") { await revocations.run() }
        add("stream orders") { await services.streamOrders.run(services.database) }
        add("receipts") { await services.receiptExchange.run() }
        add("receipt counts") { await services.receiptCounts.run() }
        for part in upkeep { add(part.name) { await part.run() } }
        for part in services.push?.parts ?? [] { add(part.name) { await part.run() } }
        if let keyWatch = services.keyWatch { add("signing key") { await keyWatch.run() } }
        add("publisher") { await services.ingest.publisher.run() }
        add("results") { await services.recent.run() }
        if let captures = services.ingest.captures { add("captures") { await captures.run() } }
        add("ticker") { await services.ingest.ticker.run() }
        add("orders") { await services.ingest.orders.run() }
        // A node without feeds serves and pushes what other nodes write.
        if !services.settings.feeds.isEmpty {
            add("ingest") {
                await services.ingest.orders.ready()
                await services.ingest.learning.begin()
                await services.ingest.polling.run()
            }
        }
        running.append(.init(service: Draining(services: services, listener: publicListener)))
        var configuration = ServiceGroupConfiguration(
            services: running,
            gracefulShutdownSignals: signals,
            logger: logger
        )
        configuration.maximumGracefulShutdownDuration = .seconds(20) + services.settings.drainNotice
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

/// Begins the shutdown of a node: readiness fails, balancers get time to see it, then streams and connections end.
struct Draining: Service {
    let services: NodeServices
    let listener: HTTPListener

    func run() async throws {
        try? await gracefulShutdown()
        services.health.drain()
        HealthCheck(name: "drain", isHealthy: false).record(in: services.metrics)
        // A shutdown that takes too long cancels the wait.
        try? await Task.sleep(for: services.settings.drainNotice)
        services.hub.drain()
        await listener.stop()
    }
}
