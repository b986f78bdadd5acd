// Builds the two listeners from their dependencies; tests build them through the same functions.

import FollowService
import Hummingbird
import LiveActivities
import Logging
import MatchEngine
import ScoreTypes

/// The dependencies of the public listener.
struct PublicDependencies: Sendable {
    let matches: MatchCache
    let devices: any DeviceStore
    let follows: any FollowStore
    let activities: any ActivityStore
    let channels: any ChannelFinder
    /// Compares what phones show with what APNs accepted.
    let receipts: ReceiptMonitor
    /// Swift type of the attributes in an app that names none.
    let attributesType: String
    let served: ServedApp
    /// Ends activities on their phones.
    let endActivities: @Sendable ([EndingActivity]) async -> Void
    let notices: any NoticeReceiver
    let hub: StreamHub
    /// The switches that the app's settings follow.
    var flags = FlagCache()

    /// Finds the channels of follows.
    var followChannels: FollowChannels {
        FollowChannels(devices: devices, channels: channels, attributesType: attributesType)
    }
}

/// The dependencies of the internal listener.
struct InternalDependencies: Sendable {
    let matches: MatchCache
    let hub: StreamHub
    let store: any AdminStore
    let feeds: any FeedControl
    let control: any MatchControl
    /// The activities that do not show what APNs accepts for them.
    let stuck: ReceiptMonitor
    let devices: any DeviceControl
    let streams: any StreamControl
    let overrides: any OverrideStore
    let aliases: any AliasStore
    let captures: any CaptureLog
    let alerts: any AlertEvidence
    let flags: any FlagStore
    let push: any PushControl
    /// The state of the pipeline: an object of objects or values.
    let pipeline: @Sendable () async -> JSONValue
    let sweeps: any SweepControl
    let nodes: any NodeControl
    let logLevels: any LogLevelStore
    var facts = NodeFacts()
    let health: any HealthChecking
    let metrics: MetricRegistry
}

/// The two HTTP applications of the process.
enum HTTPServers {
    /// The API and the live streams; also runs the hub's clock.
    static func buildPublicApplication(
        _ dependencies: PublicDependencies,
        address: ListenAddress,
        limits: RateLimits,
        credentials: DeviceAuthenticator? = nil,
        trustedProxies: [AddressBlock] = [],
        crossOrigin: CrossOriginPolicy = CrossOriginPolicy(origins: []),
        deadlines: RequestDeadlines = RequestDeadlines(),
        connections: ConnectionTable = ConnectionTable(listener: "public"),
        scheme: String = "score",
        newestLayout: ContentStateVersion = .newest,
        node: NodeID,
        clock: ServiceClock,
        logger: Logger
    ) -> HTTPListener {
        let limiter = RateLimiter(limits: limits, clock: clock)
        let admission = PublicAdmission(
            limiter: limiter,
            authenticator: credentials
                ?? DeviceAuthenticator(devices: dependencies.devices, limits: limits, clock: clock),
            trustedProxies: trustedProxies,
            deadlines: deadlines
        )
        let unknownPath: RequestMiddleware.UnknownPath = { _ = try admission.admitUnknown($0, $1, .read) }
        let matches = dependencies.matches
        let matchRoutes = MatchRoutes(matches: matches, scheme: scheme, clock: clock)
        let (router, requests) = router(
            listener: "public",
            crossOrigin: crossOrigin,
            unknownPath: unknownPath,
            quotaLeft: { admission.quotaLeft($0, $1) },
            clock: clock
        ) { routes in
            let router = PublicRouter(routes: routes, admission: admission)
            matchRoutes.add(to: router)
            DirectoryRoutes(matches: matches, clock: clock).add(to: router)
            StreamRoutes(hub: dependencies.hub, matches: matches, limiter: limiter, node: node, clock: clock)
                .add(to: router)
            addDeviceRoutes(dependencies, limiter, clock, to: router)
            NoticeRoutes(inbox: dependencies.notices, limiter: limiter).add(to: router)
            DocumentRoutes(
                scheme: scheme,
                telemetry: limits[.telemetry],
                newestLayout: newestLayout,
                flags: dependencies.flags
            ).add(to: router)
        }
        let reads = MemoryReads(matchRoutes, by: admission, requests, crossOrigin, logger)
        return HTTPListener(
            router,
            reads: reads,
            address: address,
            keys: ("HTTP_PUBLIC_HOST", "HTTP_PUBLIC_PORT"),
            connections: connections,
            services: [dependencies.hub],
            logger: logger
        )
    }

    /// The routes of devices: registration, credentials, follows, activities and telemetry.
    private static func addDeviceRoutes(
        _ dependencies: PublicDependencies,
        _ limiter: RateLimiter,
        _ clock: ServiceClock,
        to router: PublicRouter
    ) {
        let authenticator = router.admission.authenticator
        DeviceRoutes(
            dependencies: dependencies,
            authenticator: authenticator,
            limiter: limiter,
            idempotency: IdempotencyCache(clock: clock),
            clock: clock
        ).add(to: router)
        CredentialRoutes(devices: dependencies.devices, authenticator: authenticator).add(to: router)
        FollowRoutes(dependencies: dependencies).add(to: router)
        ActivityRoutes(
            dependencies: dependencies,
            channels: KnownChannels(dependencies.channels, clock: clock),
            clock: clock
        ).add(to: router)
        TelemetryRoutes(dependencies: dependencies, clock: clock).add(to: router)
    }

    /// Health, metrics, sweeps, admin API and console.
    static func buildInternalApplication(
        _ dependencies: InternalDependencies,
        address: ListenAddress,
        isProxied: Bool = false,
        isOpen: Bool = false,
        limits: RateLimits,
        clock: ServiceClock,
        logger: Logger
    ) throws -> HTTPListener {
        let limiter = RateLimiter(limits: limits, clock: clock)
        let authenticator = AdminAuthenticator(store: dependencies.store, limiter: limiter, clock: clock)
        let admission = InternalAdmission(
            authenticator: authenticator,
            store: dependencies.store,
            isProxied: isProxied,
            isOpen: isOpen,
            clock: clock
        )
        let health = HealthRoutes(health: dependencies.health, registry: dependencies.metrics, clock: clock)
        let console = try ConsoleRoutes(dependencies, clock: clock)
        let (router, _) = router(listener: "internal", clock: clock) { routes in
            let router = InternalRouter(routes: routes, admission: admission)
            health.add(to: router)
            SweepRoutes(sweeps: dependencies.sweeps, clock: clock).add(to: router)
            NodeRoutes(control: dependencies.nodes).add(to: router)
            LogLevelRoutes(store: dependencies.logLevels, nodes: dependencies.nodes, clock: clock).add(to: router)
            DiagnosticsRoutes(dependencies: dependencies, clock: clock).add(to: router)
            AdminRoutes(dependencies: dependencies).add(to: router)
            AdminDeviceRoutes(control: dependencies.devices).add(to: router)
            AdminActivityRoutes(control: dependencies.devices, monitor: dependencies.stuck).add(to: router)
            AdminStreamRoutes(control: dependencies.streams, node: dependencies.facts.id).add(to: router)
            OverrideRoutes(store: dependencies.overrides, clock: clock).add(to: router)
            MatchRepairRoutes(matches: dependencies.matches, control: dependencies.control).add(to: router)
            DrawnStateRoutes().add(to: router)
            FeedRoutes(feeds: dependencies.feeds, captures: dependencies.captures).add(to: router)
            AlertRoutes(alerts: dependencies.alerts).add(to: router)
            AliasRoutes(store: dependencies.aliases).add(to: router)
            FlagRoutes(store: dependencies.flags, clock: clock).add(to: router)
            APNsRoutes(control: dependencies.push, flags: dependencies.flags, clock: clock).add(to: router)
            PushRoutes(control: dependencies.push).add(to: router)
            AuditRoutes(store: dependencies.store).add(to: router)
            TokenRoutes(store: dependencies.store, clock: clock).add(to: router)
            SessionRoutes(store: dependencies.store, clock: clock).add(to: router)
            console.add(to: router)
            DescriptionRoutes().add(to: router)
        }
        return HTTPListener(
            router,
            address: address,
            keys: ("HTTP_INTERNAL_HOST", "HTTP_INTERNAL_PORT"),
            connections: ConnectionTable(
                listener: "internal",
                caps: ConnectionCaps(node: ServerLimits.internalConnections, address: ServerLimits.internalConnections)
            ),
            services: [],
            logger: logger
        )
    }

    /// Adds the routes twice: the middleware needs the table of all routes before the first one is added.
    private static func router(
        listener: String,
        crossOrigin: CrossOriginPolicy = CrossOriginPolicy(origins: []),
        unknownPath: RequestMiddleware.UnknownPath? = nil,
        quotaLeft: RequestMiddleware.QuotaLeft? = nil,
        clock: ServiceClock,
        _ add: (Router<ServiceContext>) -> Void
    ) -> (router: Router<ServiceContext>, requests: RequestMiddleware) {
        let plan = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        add(plan)
        let router = Router(context: ServiceContext.self, options: .autoGenerateHeadEndpoints)
        let table = RouteTable(plan)
        let hasOrigins = !crossOrigin.origins.isEmpty
        if hasOrigins { router.add(middleware: CrossOriginMiddleware(policy: crossOrigin)) }
        let requests = RequestMiddleware(
            listener: listener,
            routes: table,
            unknownPath: unknownPath,
            quotaLeft: quotaLeft,
            clock: clock
        )
        router.add(middleware: requests)
        if hasOrigins { router.add(middleware: PreflightMiddleware(policy: crossOrigin, routes: table)) }
        add(router)
        return (router, requests)
    }
}
