// Both listeners on free ports of this machine, with dependencies that the test chooses.

import LiveActivities
import Logging
import MatchEngine
import MatchJournal
import Postgres
import Providers
import ScoreTypes
import ServiceLifecycle
import Testing

@testable import FollowService
@testable import ScoreServer

extension RateLimits {
    /// The documented defaults, but for those given.
    init(_ changed: [RatePolicy: Quota] = [:]) {
        var values = ConfigurationValues { _ in nil }
        self.init(reading: &values)
        quotas.merge(changed) { $1 }
    }
}

/// The stubs of a test server; a test replaces the ones that it needs.
struct TestDependencies: Sendable {
    var devices = StubDevices()
    var follows = StubFollows()
    var activities = StubActivities()
    var limits = RateLimits()
    var caps = StreamCaps()
    var origins: Set<String> = []
    var timing = StreamTiming()
    var store = MemoryAdminStore()
    /// The store of tokens and of the audit log where it is not `store`.
    var adminStore: (any AdminStore)?
    var feeds = StubFeeds()
    var control = StubControl()
    var aliases = StubAliases()
    var people = StubPeople()
    var streams = StubStreams()
    var captures = StubCaptures()
    var alerts = StubAlerts()
    var push = StubPush()
    var notices = StubNotices()
    var channels = StubChannels()
    var sweeps = StubSweeps()
    var nodes = StubNodes()
    var logLevels = StubLogLevels()
    var facts = NodeFacts()
    var health = StubHealth()
    var receipts = ReceiptMonitor(clock: ServiceClock())
    var matches = MatchCache(load: { _ in nil }, changes: { _, _, _ in try unexpected("changes") })
    var metrics = MetricRegistry()
    var isOpen = false
    var clock = ServiceClock()
    /// The clock of the internal listener where it is not that of all others.
    var internalClock: ServiceClock?
    var deadlines = RequestDeadlines()
    var connectionLimits = ConnectionLimits()
    var connectionCaps = ConnectionCaps()
    var publicAddress = ListenAddress(host: "127.0.0.1", port: 0)
    var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

    /// The dependencies of the public listener.
    func publicDependencies(_ hub: StreamHub) -> PublicDependencies {
        PublicDependencies(
            matches: matches,
            devices: devices,
            follows: follows,
            activities: activities,
            channels: channels,
            receipts: receipts,
            attributesType: "LiveActivityAttributes",
            served: ServedApp(environments: Set(PushEnvironment.allCases), bundleID: nil),
            endActivities: { _ in },
            notices: notices,
            hub: hub
        )
    }
}

/// A running server.
struct TestServer: Sendable {
    let publicClient: WireClient
    let internalClient: WireClient
    let stubs: TestDependencies
    let hub: StreamHub
    /// The routes of both listeners.
    let routes: [RouteTable.Route]
    /// Begins a graceful shutdown.
    let shutDown: @Sendable () async -> Void

    /// Publishes a view to readers and streams.
    func publish(_ view: MatchView, changes: [JournalEntry] = []) {
        stubs.matches.put(view)
        hub.publish(view, changes: changes)
    }

    /// An admin token of a role, valid for an hour unless another time is given.
    func token(_ role: AdminRole, lasting life: Duration = .seconds(3600)) async throws -> [String: String] {
        let (token, credential) = AdminToken.make(
            name: "\(role)",
            role: role,
            by: "test",
            at: stubs.clock.wall,
            lasting: life
        )
        stubs.store.put(token)
        return ["Authorization": "Bearer \(credential.text)"]
    }
}

extension PostgresAdminStore {
    /// The headers with a new token of a role, valid for an hour.
    func headers(_ role: AdminRole) async throws -> [String: String] {
        let (token, credential) = AdminToken.make(
            name: "\(role)",
            role: role,
            by: "test",
            at: ServiceClock().wall,
            lasting: .seconds(3600)
        )
        _ = try await add(token, .command("admin-token.create", target: token.id, reason: "test", user: "test"))
        return ["Authorization": "Bearer \(credential.text)"]
    }
}

extension TestDependencies {
    /// The listener of the API.
    fileprivate func publicListener(_ hub: StreamHub) -> HTTPListener {
        HTTPServers.buildPublicApplication(
            publicDependencies(hub),
            address: publicAddress,
            limits: limits,
            crossOrigin: CrossOriginPolicy(origins: origins),
            deadlines: deadlines,
            connections: ConnectionTable(listener: "public", limits: connectionLimits, caps: connectionCaps),
            node: NodeID(unchecked: "test-node"),
            clock: clock,
            logger: logger
        )
    }
}

/// Runs a server while the body runs.
func withServer(_ stubs: TestDependencies = TestDependencies(), _ body: @Sendable (TestServer) async throws -> Void)
    async throws
{
    let logger = stubs.logger
    let hub = StreamHub(caps: stubs.caps, timing: stubs.timing, clock: stubs.clock)
    let publicListener = stubs.publicListener(hub)
    let internalListener = try HTTPServers.buildInternalApplication(
        InternalDependencies(
            matches: stubs.matches,
            hub: hub,
            store: stubs.adminStore ?? (stubs.store as any AdminStore),
            feeds: stubs.feeds,
            control: stubs.control,
            stuck: stubs.receipts,
            devices: stubs.people,
            streams: stubs.streams,
            overrides: stubs.control,
            aliases: stubs.aliases,
            captures: stubs.captures,
            alerts: stubs.alerts,
            flags: MemoryFlagStore(audit: stubs.store),
            push: stubs.push,
            pipeline: { .record(["sandbox": .record(["accepted": .integer(41)])]) },
            sweeps: stubs.sweeps,
            nodes: stubs.nodes,
            logLevels: stubs.logLevels,
            facts: stubs.facts,
            health: stubs.health,
            metrics: stubs.metrics
        ),
        address: ListenAddress(host: "127.0.0.1", port: 0),
        isOpen: stubs.isOpen,
        limits: stubs.limits,
        clock: stubs.internalClock ?? stubs.clock,
        logger: logger
    )
    let group = ServiceGroup(services: [publicListener, internalListener], logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        let server = TestServer(
            publicClient: WireClient(port: try await publicListener.port()),
            internalClient: WireClient(port: try await internalListener.port()),
            stubs: stubs,
            hub: hub,
            routes: (publicListener.routes.routes + internalListener.routes.routes).filter { $0.method != "HEAD" },
            shutDown: { await group.triggerGracefulShutdown() }
        )
        let result: Result<Void, any Error>
        do { result = .success(try await body(server)) } catch { result = .failure(error) }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        try result.get()
    }
}
