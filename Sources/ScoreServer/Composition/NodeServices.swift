// The services of a node are made in the order in which they depend on one another.

import FollowService
import Foundation
import LiveActivities
import Logging
import MatchEngine
import MatchJournal
import Postgres
import PushDispatcher
import ScoreIngest
import ScoreTypes

/// The services of a node, which the listeners read and control.
struct NodeServices: Sendable {
    let settings: ServerConfiguration
    let clock: ServiceClock
    let metrics: MetricRegistry
    let logger: Logger
    let pools: NodePools
    let journal: Journal
    let database: ConnectionInfo
    let membership: Membership
    let publications: PublicationCache
    let matches: MatchCache
    let hub: StreamHub
    let receipts: ReceiptMonitor
    let receiptCounts: ReceiptCounts
    let receiptExchange: ReceiptExchange
    let ownership: BucketOwnership
    /// The stores of followers for requests of phones.
    let followers: FollowerStores
    /// The stores of followers for the node's own work and for operators.
    let operated: FollowerStores
    /// The credentials of devices in memory.
    let credentials: DeviceAuthenticator
    let streamOrders: StreamOrders
    /// nil without a signing key.
    let push: LiveActivityServices?
    /// The log and the samples of single pushes.
    let attempts: AttemptObservers
    /// The watch on the signing key's file; nil without one.
    let keyWatch: SigningKeyWatch?
    let ingest: IngestServices
    let feeds: FeedRecords
    let audit: AuditUpkeep
    let sweeps: SweepService
    /// The switches of operators.
    let flags: FlagCache
    let flagWatch: FlagWatch
    let logs: NodeLogs
    let health: NodeHealth

    /// Joins the fleet and makes the services.
    init(
        settings: ServerConfiguration,
        database: ConnectionInfo,
        clock: ServiceClock,
        metrics: MetricRegistry,
        logger: Logger,
        logs: NodeLogs = NodeLogs()
    ) async throws {
        self.logs = logs
        (self.settings, self.clock, self.metrics, self.logger) = (settings, clock, metrics, logger)
        (self.database, attempts) = (database, AttemptObservers(clock: clock))
        pools = NodePools(database)
        journal = Journal(pool: pools.journal)
        let (version, sends) = (ScoreServerCommand.version, settings.push.key != nil)
        membership = Membership(info: database, node: settings.node, version: version, sends: sends, clock: clock)
        try await membership.join()
        publications = Self.publications(settings, journal, clock)
        matches = MatchCache(over: Journal(pool: pools.api), publications)
        let budget = settings.descriptorBudget
        if let advice = budget.advice { logger.warning("node.descriptors.few", metadata: ["remedy": "\(advice)"]) }
        hub = StreamHub(caps: budget.streams, clock: clock)
        let arenas = ArenaIndex(info: database, pool: pools.duty, clock: clock)
        ownership = BucketOwnership(membership: membership, arenas: arenas)
        followers = FollowerStores(pool: pools.api, clock: clock, arenas: arenas)
        operated = FollowerStores(pool: pools.duty, clock: clock, arenas: arenas)
        credentials = DeviceAuthenticator(devices: followers.devices, limits: settings.limits, clock: clock)
        streamOrders = StreamOrders(hub: hub, devices: operated.devices, pool: pools.duty, node: settings.node)
        receipts = ReceiptMonitor(clock: clock) { [ownership] in ownership.owns($0) }
        receiptCounts = Self.receiptCounts(receipts, pools, ownership, clock)
        receiptExchange = ReceiptExchange(receipts, info: database, pool: pools.duty)
        push = try Self.liveActivities(
            settings,
            pools,
            operated,
            publications,
            membership,
            ownership,
            receipts,
            attempts
        )
        keyWatch = Self.keyWatch(settings, push)
        if push == nil { logger.warning("no signing key is set: nothing is pushed") }
        let distributor = PublicationDistributor(
            matches: matches,
            hub: hub,
            receipts: receipts,
            push: push
        )
        ingest = Self.ingest(settings, journal, publications, database, membership, distributor, clock)
        feeds = FeedRecords(pool: pools.duty)
        audit = Self.auditUpkeep(settings, pools, clock)
        sweeps = SweepService(settings, pools.duty, operated, silent: push?.sweep, membership, clock)
        flags = FlagCache(clock: clock)
        let levels = LogLevelFollower(pools.duty, logs.levels, settings.node, clock)
        let switches = FlagRecords(pool: pools.duty)
        flagWatch = FlagWatch(switches, cache: flags, hub: hub, dispatcher: push?.dispatcher, levels: levels)
        // Before anything is sent: what was switched off stays off.
        try await flagWatch.load()
        health = Self.health(settings, pools, membership, publications, arenas, push)
    }

    private static func publications(
        _ settings: ServerConfiguration,
        _ journal: Journal,
        _ clock: ServiceClock
    ) -> PublicationCache {
        PublicationCache(journal: journal, clock: clock, scheme: settings.deepLinkScheme, options: settings.engine)
    }

    private static func ingest(
        _ settings: ServerConfiguration,
        _ journal: Journal,
        _ publications: PublicationCache,
        _ database: ConnectionInfo,
        _ membership: Membership,
        _ distributor: PublicationDistributor,
        _ clock: ServiceClock
    ) -> IngestServices {
        IngestServices(
            settings,
            journal: journal,
            publications: publications,
            database: database,
            membership: membership,
            distributor: distributor,
            clock: clock
        )
    }

    private static func health(
        _ settings: ServerConfiguration,
        _ pools: NodePools,
        _ membership: Membership,
        _ publications: PublicationCache,
        _ arenas: ArenaIndex,
        _ push: LiveActivityServices?
    ) -> NodeHealth {
        NodeHealth(
            pools.duty,
            membership,
            publications,
            arenas,
            hasFeeds: !settings.feeds.isEmpty,
            channelProblem: { push?.channelProblem }
        )
    }

    private static func receiptCounts(
        _ receipts: ReceiptMonitor,
        _ pools: NodePools,
        _ ownership: BucketOwnership,
        _ clock: ServiceClock
    ) -> ReceiptCounts {
        ReceiptCounts(
            receipts,
            activities: FollowService.Activities(pool: pools.duty, clock: clock),
            buckets: { ownership.buckets }
        )
    }

    private static func auditUpkeep(
        _ settings: ServerConfiguration,
        _ pools: NodePools,
        _ clock: ServiceClock
    ) -> AuditUpkeep {
        AuditUpkeep(PostgresAdminStore(pool: pools.duty), node: settings.node, days: settings.auditDays, clock: clock)
    }

    /// The services that push; nil without a signing key.
    private static func liveActivities(
        _ settings: ServerConfiguration,
        _ pools: NodePools,
        _ stores: FollowerStores,
        _ publications: PublicationCache,
        _ membership: Membership,
        _ ownership: BucketOwnership,
        _ receipts: ReceiptMonitor,
        _ attempts: AttemptObservers
    ) throws -> LiveActivityServices? {
        guard let key = settings.push.key else { return nil }
        return LiveActivityServices(
            LiveActivityServices.Configuration(
                dispatcher: try DispatcherConfiguration(settings.push, key: key),
                attributesType: settings.push.attributesType,
                deepLinkScheme: settings.deepLinkScheme,
                notificationCategory: settings.push.notificationCategory,
                deletesUnknownChannels: settings.push.deletesUnknownChannels,
                // The key's file is a secret that all nodes have; its bytes only enter a hash.
                requestIDKey: FileManager.default.contents(atPath: key.file).map { Array($0) } ?? []
            ),
            stores: stores,
            progress: ProgressRecords(pool: pools.progress, clock: attempts.clock) { membership.term },
            publications: publications,
            membership: membership,
            ownership: ownership,
            receipts: receipts,
            clock: attempts.clock,
            attempts: attempts
        )
    }

    private static func keyWatch(_ settings: ServerConfiguration, _ push: LiveActivityServices?) -> SigningKeyWatch? {
        guard let push, let key = settings.push.key else { return nil }
        return SigningKeyWatch(file: key.file) { await push.dispatcher.use($0, keyID: $1) }
    }

    func publicListener() -> HTTPListener {
        HTTPServers.buildPublicApplication(
            PublicDependencies(
                matches: matches,
                devices: followers.devices,
                follows: followers.follows,
                activities: followers.activities,
                channels: followers.channels,
                receipts: receipts,
                attributesType: settings.push.attributesType,
                served: ServedApp(
                    environments: Set(settings.push.environments.keys),
                    bundleID: settings.push.bundleID.unlessEmpty
                ),
                endActivities: { [push] in await push?.ending.end($0) },
                notices: NoticeIntake(ingest: ingest.polling, records: feeds, settings: settings.feeds, clock: clock),
                hub: hub,
                flags: flags
            ),
            address: settings.publicAddress,
            limits: settings.limits,
            credentials: credentials,
            trustedProxies: settings.trustedProxies,
            crossOrigin: settings.crossOrigin,
            connections: ConnectionTable(
                listener: "public",
                caps: settings.connectionCaps,
                trusted: settings.trustedProxies,
                clientsLeft: { [hub, clients = settings.descriptorBudget.clients] in clients - hub.connectionCount }
            ),
            scheme: settings.deepLinkScheme,
            newestLayout: settings.engine.newestLayout,
            node: settings.node,
            clock: clock,
            logger: logger
        )
    }

    /// Reads the results of matches that ended before this node started.
    var recent: RecentMatches { RecentMatches(journal: journal, matches: matches, publications: publications) }

    private var alerts: StoredAlertEvidence {
        StoredAlertEvidence(
            evidence: ingest.evidence,
            records: EvidenceRecords(pool: pools.duty),
            feeds: settings.feeds.map(\.id)
        )
    }

    private var control: MatchOperations {
        MatchOperations(
            journal: journal,
            publisher: ingest.publisher,
            hub: hub,
            ending: push?.ending,
            activities: operated.activities,
            audiences: AudienceReader(clock: clock) { [activities = followers.activities, receiptCounts] match in
                MatchAudience(
                    counts: try await activities.counts(of: match),
                    receipts: try await receiptCounts.numbers(of: match)
                )
            },
            feeds: feeds,
            clock: clock
        )
    }

    func internalListener() throws -> HTTPListener {
        try HTTPServers.buildInternalApplication(
            InternalDependencies(
                matches: matches,
                hub: hub,
                store: PostgresAdminStore(pool: pools.duty),
                feeds: FeedOperations(ingest: ingest.polling, records: feeds, settings: settings.feeds),
                control: control,
                stuck: receipts,
                devices: DeviceOperations(
                    stores: operated,
                    receipts: receipts,
                    hub: hub,
                    credentials: credentials,
                    push: push
                ),
                streams: streamOrders,
                overrides: journal,
                aliases: AliasRecords(pool: pools.duty),
                captures: CaptureFiles(directory: settings.captures?.directory),
                alerts: alerts,
                flags: FlagRecords(pool: pools.duty),
                push: PushOperations(push?.dispatcher, keyWatch: keyWatch, history: attempts.history, clock: clock),
                pipeline: { [push, receipts, followers] in
                    .record([
                        "arenas": followers.arenas.status.json, "activitiesStuck": .whole(receipts.stuckCount),
                        "dispatcher": await push?.dispatcher.status().json ?? .null,
                    ])
                },
                sweeps: sweeps,
                nodes: PostgresNodes(pool: pools.duty),
                logLevels: LogLevelRecords(pool: pools.duty, clock: clock),
                facts: NodeFacts(id: settings.node, settings: settings.effective, logs: logs) { [pools] in
                    try await NodeRecords(pool: pools.duty).databaseVersion()
                },
                health: health,
                metrics: metrics
            ),
            address: settings.internalAddress,
            isProxied: settings.isInternalProxied,
            isOpen: settings.isInternalOpen,
            limits: settings.limits,
            clock: clock,
            logger: logger
        )
    }
}
