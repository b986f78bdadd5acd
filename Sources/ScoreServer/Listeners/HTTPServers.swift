// Builds the two listeners out of what the composition gives; tests come in by the same doors.

import FollowService
import Hummingbird
import LiveActivities
import Logging
import ScoreTypes

/// What the public listener stands on.
struct PublicRooms: Sendable {
    let matches: any MatchReader
    let devices: any DeviceStore
    let follows: any FollowStore
    let activities: any ActivityStore
    let channels: any ChannelReader
    /// Compares what phones show with what APNs accepted.
    let receipts: ReceiptMonitor
    /// Swift type of the attributes in an app that names none.
    let attributesType: String
    /// Ends activities on their phones.
    let endActivities: @Sendable ([EndingActivity]) async -> Void
    let notices: any NoticeInbox
    let hub: StreamHub
}

/// What the internal listener stands on.
struct InternalRooms: Sendable {
    let matches: any MatchReader
    let hub: StreamHub
    let store: any AdminStore
    let feeds: any FeedControl
    let control: any MatchControl
    let aliases: any AliasControl
    let pipeline: any PipelineStatus
    let sweeping: any StaleSweeping
    let health: any HealthChecking
    let metrics: MetricRegistry
}

/// The two HTTP applications of the process.
enum HTTPServers {
    /// The API and the live streams; also runs the hub's clock.
    static func buildPublicApplication(
        _ rooms: PublicRooms,
        address: ListenAddress,
        limits: RateLimits = RateLimits(),
        trustedProxies: [String] = [],
        deadlines: DoorDeadlines = DoorDeadlines(),
        config: ClientConfig = ClientConfig(),
        node: NodeID,
        clock: ServiceClock,
        logger: Logger
    ) -> HTTPListener {
        let limiter = RateLimiter(limits: limits, clock: clock)
        let door = PublicDoor(
            limiter: limiter,
            authenticator: DeviceAuthenticator(devices: rooms.devices, clock: clock),
            trustedProxies: trustedProxies,
            deadlines: deadlines
        )
        let router = publicRouter(rooms, door, config, node, clock)
        return HTTPListener(
            router,
            address: address,
            keys: ("HTTP_PUBLIC_HOST", "HTTP_PUBLIC_PORT"),
            services: [rooms.hub],
            logger: logger
        )
    }

    /// Health, metrics, sweeps, admin API and console.
    static func buildInternalApplication(
        _ rooms: InternalRooms,
        address: ListenAddress,
        limits: RateLimits = RateLimits(),
        version: String,
        clock: ServiceClock,
        logger: Logger
    ) throws -> HTTPListener {
        let router = try internalRouter(rooms, limits, version, clock)
        return HTTPListener(
            router,
            address: address,
            keys: ("HTTP_INTERNAL_HOST", "HTTP_INTERNAL_PORT"),
            services: [],
            logger: logger
        )
    }

    private static func publicRouter(
        _ rooms: PublicRooms,
        _ door: PublicDoor,
        _ config: ClientConfig,
        _ node: NodeID,
        _ clock: ServiceClock
    ) -> Router<ServiceContext> {
        router(listener: "public", clock: clock) { router in
            MatchRoutes(matches: rooms.matches, clock: clock).add(to: router, behind: door)
            SurfaceRoutes(matches: rooms.matches, scheme: config.deepLinkScheme, clock: clock)
                .add(to: router, behind: door)
            StreamRoutes(hub: rooms.hub, matches: rooms.matches, limiter: door.limiter, node: node, clock: clock)
                .add(to: router, behind: door)
            DeviceRoutes(
                devices: rooms.devices,
                follows: rooms.follows,
                attributesType: rooms.attributesType,
                endActivities: rooms.endActivities,
                authenticator: door.authenticator,
                limiter: door.limiter,
                ledger: IdempotencyLedger(clock: clock),
                clock: clock
            ).add(to: router, behind: door)
            FollowRoutes(
                follows: rooms.follows,
                devices: rooms.devices,
                activities: rooms.activities,
                channels: rooms.channels,
                matches: rooms.matches,
                attributesType: rooms.attributesType,
                endActivities: rooms.endActivities
            ).add(to: router, behind: door)
            ActivityRoutes(
                activities: rooms.activities,
                devices: rooms.devices,
                matches: rooms.matches,
                receipts: rooms.receipts,
                attributesType: rooms.attributesType,
                clock: clock
            ).add(to: router, behind: door)
            NoticeRoutes(inbox: rooms.notices, limiter: door.limiter).add(to: router, behind: door)
            DocumentRoutes(config: config).add(to: router, behind: door)
        }
    }

    private static func internalRouter(
        _ rooms: InternalRooms,
        _ limits: RateLimits,
        _ version: String,
        _ clock: ServiceClock
    ) throws -> Router<ServiceContext> {
        let limiter = RateLimiter(limits: limits, clock: clock)
        let authenticator = AdminAuthenticator(store: rooms.store, limiter: limiter, clock: clock)
        let door = InternalDoor(authenticator: authenticator, store: rooms.store)
        let health = HealthRoutes(health: rooms.health, registry: rooms.metrics, version: version, clock: clock)
        let page = try ConsolePage()
        let admin = AdminRoutes(
            store: rooms.store,
            feeds: rooms.feeds,
            control: rooms.control,
            pipeline: rooms.pipeline,
            matches: rooms.matches,
            hub: rooms.hub,
            health: rooms.health,
            version: version
        )
        return router(listener: "internal", clock: clock) { router in
            health.add(to: router, behind: door)
            SweepRoutes(sweeping: rooms.sweeping).add(to: router, behind: door)
            admin.add(to: router, behind: door)
            OverrideRoutes(control: rooms.control, clock: clock).add(to: router, behind: door)
            AliasRoutes(control: rooms.aliases).add(to: router, behind: door)
            ConsoleRoutes(page: page, admin: admin).add(to: router, behind: door)
        }
    }

    /// Adds the routes twice: once to learn them, since the front door has to know all of them before the first.
    private static func router(
        listener: String,
        clock: ServiceClock,
        _ add: (Router<ServiceContext>) -> Void
    ) -> Router<ServiceContext> {
        let plan = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        add(plan)
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: FrontDoor(listener: listener, routes: RouteTable(plan), clock: clock))
        add(router)
        return router
    }
}
