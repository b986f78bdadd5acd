// Builds the two listeners from their dependencies; tests build them through the same functions.

import FollowService
import Hummingbird
import LiveActivities
import Logging
import ScoreTypes

/// The dependencies of the public listener.
struct PublicDependencies: Sendable {
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
    let notices: any NoticeReceiver
    let hub: StreamHub
}

/// The dependencies of the internal listener.
struct InternalDependencies: Sendable {
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
        _ dependencies: PublicDependencies,
        address: ListenAddress,
        limits: RateLimits = RateLimits(),
        trustedProxies: [String] = [],
        deadlines: RequestDeadlines = RequestDeadlines(),
        config: ClientConfig = ClientConfig(),
        node: NodeID,
        clock: ServiceClock,
        logger: Logger
    ) -> HTTPListener {
        let limiter = RateLimiter(limits: limits, clock: clock)
        let admission = PublicAdmission(
            limiter: limiter,
            authenticator: DeviceAuthenticator(devices: dependencies.devices, clock: clock),
            trustedProxies: trustedProxies,
            deadlines: deadlines
        )
        let router = publicRouter(dependencies, admission, config, node, clock)
        return HTTPListener(
            router,
            address: address,
            keys: ("HTTP_PUBLIC_HOST", "HTTP_PUBLIC_PORT"),
            services: [dependencies.hub],
            logger: logger
        )
    }

    /// Health, metrics, sweeps, admin API and console.
    static func buildInternalApplication(
        _ dependencies: InternalDependencies,
        address: ListenAddress,
        limits: RateLimits = RateLimits(),
        version: String,
        clock: ServiceClock,
        logger: Logger
    ) throws -> HTTPListener {
        let router = try internalRouter(dependencies, limits, version, clock)
        return HTTPListener(
            router,
            address: address,
            keys: ("HTTP_INTERNAL_HOST", "HTTP_INTERNAL_PORT"),
            services: [],
            logger: logger
        )
    }

    private static func publicRouter(
        _ dependencies: PublicDependencies,
        _ admission: PublicAdmission,
        _ config: ClientConfig,
        _ node: NodeID,
        _ clock: ServiceClock
    ) -> Router<ServiceContext> {
        router(listener: "public", clock: clock) { routes in
            let router = PublicRouter(routes: routes, admission: admission)
            MatchRoutes(matches: dependencies.matches, clock: clock).add(to: router)
            SurfaceRoutes(matches: dependencies.matches, scheme: config.deepLinkScheme, clock: clock)
                .add(to: router)
            StreamRoutes(
                hub: dependencies.hub,
                matches: dependencies.matches,
                limiter: admission.limiter,
                node: node,
                clock: clock
            )
            .add(to: router)
            DeviceRoutes(
                devices: dependencies.devices,
                follows: dependencies.follows,
                attributesType: dependencies.attributesType,
                endActivities: dependencies.endActivities,
                authenticator: admission.authenticator,
                limiter: admission.limiter,
                idempotency: IdempotencyCache(clock: clock),
                clock: clock
            ).add(to: router)
            FollowRoutes(
                follows: dependencies.follows,
                devices: dependencies.devices,
                activities: dependencies.activities,
                channels: dependencies.channels,
                matches: dependencies.matches,
                attributesType: dependencies.attributesType,
                endActivities: dependencies.endActivities
            ).add(to: router)
            ActivityRoutes(
                activities: dependencies.activities,
                devices: dependencies.devices,
                matches: dependencies.matches,
                receipts: dependencies.receipts,
                attributesType: dependencies.attributesType,
                clock: clock
            ).add(to: router)
            NoticeRoutes(inbox: dependencies.notices, limiter: admission.limiter).add(to: router)
            DocumentRoutes(config: config).add(to: router)
        }
    }

    private static func internalRouter(
        _ dependencies: InternalDependencies,
        _ limits: RateLimits,
        _ version: String,
        _ clock: ServiceClock
    ) throws -> Router<ServiceContext> {
        let limiter = RateLimiter(limits: limits, clock: clock)
        let authenticator = AdminAuthenticator(store: dependencies.store, limiter: limiter, clock: clock)
        let admission = InternalAdmission(authenticator: authenticator, store: dependencies.store)
        let health = HealthRoutes(
            health: dependencies.health,
            registry: dependencies.metrics,
            version: version,
            clock: clock
        )
        let page = try ConsolePage()
        let admin = AdminRoutes(
            store: dependencies.store,
            feeds: dependencies.feeds,
            control: dependencies.control,
            pipeline: dependencies.pipeline,
            matches: dependencies.matches,
            hub: dependencies.hub,
            health: dependencies.health,
            version: version
        )
        return router(listener: "internal", clock: clock) { routes in
            let router = InternalRouter(routes: routes, admission: admission)
            health.add(to: router)
            SweepRoutes(sweeping: dependencies.sweeping).add(to: router)
            admin.add(to: router)
            OverrideRoutes(control: dependencies.control, clock: clock).add(to: router)
            AliasRoutes(control: dependencies.aliases).add(to: router)
            ConsoleRoutes(page: page, admin: admin).add(to: router)
        }
    }

    /// Adds the routes twice: the middleware needs the table of all routes before the first one is added.
    private static func router(
        listener: String,
        clock: ServiceClock,
        _ add: (Router<ServiceContext>) -> Void
    ) -> Router<ServiceContext> {
        let plan = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        add(plan)
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: RequestMiddleware(listener: listener, routes: RouteTable(plan), clock: clock))
        add(router)
        return router
    }
}
