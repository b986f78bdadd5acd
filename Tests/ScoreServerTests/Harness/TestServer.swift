// Both listeners on free ports of this machine, with stubbed dependencies.

import LiveActivities
import Logging
import MatchEngine
import MatchJournal
import Providers
import ScoreTypes
import ServiceLifecycle
import Testing

@testable import ScoreServer

/// What a test server stands on; a test changes what it needs.
struct TestRooms: Sendable {
    var devices = StubDevices()
    var follows = StubFollows()
    var activities = StubActivities()
    var limits = RateLimits()
    var caps = StreamCaps()
    var timing = StreamTiming()
    var store = MemoryAdminStore()
    var feeds = StubFeeds()
    var control = StubControl()
    var aliases = StubAliases()
    var notices = StubNotices()
    var sweeping = StubSweeping()
    var health = StubHealth()
    var shelf = MatchCache(load: { _ in nil }, changes: { _, _, _ in try unexpected("changes") })
    var metrics = MetricRegistry()
    var clock = ServiceClock()
    var deadlines = RequestDeadlines()
    var publicAddress = ListenAddress(host: "127.0.0.1", port: 0)

    /// What the public routes call.
    func publicRooms(_ hub: StreamHub) -> PublicDependencies {
        PublicDependencies(
            matches: shelf,
            devices: devices,
            follows: follows,
            activities: activities,
            channels: StubChannels(),
            receipts: ReceiptMonitor(clock: clock),
            attributesType: "LiveActivityAttributes",
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
    let rooms: TestRooms
    let hub: StreamHub
    /// The routes of both listeners.
    let routes: [RouteTable.Route]
    /// Begins a graceful shutdown.
    let shutDown: @Sendable () async -> Void

    /// Puts news out as the composition does.
    func publish(_ view: MatchView) {
        rooms.shelf.put(view)
        hub.publish(view)
    }

    /// An admin token of a role.
    func token(_ role: AdminRole, expiresAt: Instant? = nil) async throws -> [String: String] {
        let credential = try await rooms.store.makeToken(name: "\(role)", role: role, expiresAt: expiresAt)
        return ["Authorization": "Bearer \(credential.text)"]
    }
}

/// Runs a server while the body runs.
func withServer(_ rooms: TestRooms = TestRooms(), _ body: @Sendable (TestServer) async throws -> Void) async throws {
    var logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    logger.logLevel = .critical
    let hub = StreamHub(caps: rooms.caps, timing: rooms.timing, clock: rooms.clock)
    let publicListener = HTTPServers.buildPublicApplication(
        rooms.publicRooms(hub),
        address: rooms.publicAddress,
        limits: rooms.limits,
        deadlines: rooms.deadlines,
        node: NodeID(unchecked: "test-node"),
        clock: rooms.clock,
        logger: logger
    )
    let internalListener = try HTTPServers.buildInternalApplication(
        InternalDependencies(
            matches: rooms.shelf,
            hub: hub,
            store: rooms.store,
            feeds: rooms.feeds,
            control: rooms.control,
            aliases: rooms.aliases,
            pipeline: StubPipeline(),
            sweeping: rooms.sweeping,
            health: rooms.health,
            metrics: rooms.metrics
        ),
        address: ListenAddress(host: "127.0.0.1", port: 0),
        limits: rooms.limits,
        version: "0.0.0-test",
        clock: rooms.clock,
        logger: logger
    )
    let group = ServiceGroup(services: [publicListener, internalListener], logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        let server = TestServer(
            publicClient: WireClient(port: try await publicListener.port()),
            internalClient: WireClient(port: try await internalListener.port()),
            rooms: rooms,
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
