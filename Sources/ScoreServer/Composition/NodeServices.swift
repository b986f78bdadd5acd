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
    /// nil without a signing key.
    let push: LiveActivityServices?
    let ingest: IngestServices
    let feeds: FeedRecords
    let audit: AuditUpkeep
    /// The switches of operators.
    let flags: FlagCache
    let flagWatch: FlagWatch
    let health: NodeHealth

    /// Joins the fleet and makes the services.
    init(
        settings: ServerConfiguration,
        database: ConnectionInfo,
        clock: ServiceClock,
        metrics: MetricRegistry,
        logger: Logger
    ) async throws {
        (self.settings, self.clock, self.metrics, self.logger) = (settings, clock, metrics, logger)
        self.database = database
        pools = NodePools(database)
        journal = Journal(pool: pools.journal)
        membership = Membership(info: database, node: settings.node, clock: clock)
        try await membership.join()
        publications = PublicationCache(
            journal: journal,
            clock: clock,
            scheme: settings.deepLinkScheme,
            options: settings.engine
        )
        matches = MatchCache(over: Journal(pool: pools.api), publications)
        let budget = settings.descriptorBudget
        if let advice = budget.advice { logger.warning("node.descriptors.few", metadata: ["remedy": "\(advice)"]) }
        hub = StreamHub(caps: budget.streams, clock: clock)
        let arenas = ArenaIndex(info: database, pool: pools.duty, clock: clock)
        ownership = BucketOwnership(membership: membership, arenas: arenas)
        followers = FollowerStores(pool: pools.api, clock: clock, arenas: arenas)
        receipts = ReceiptMonitor(clock: clock) { [ownership] in ownership.owns($0) }
        receiptCounts = Self.receiptCounts(receipts, pools, ownership, clock)
        receiptExchange = ReceiptExchange(receipts, info: database, pool: pools.duty)
        push = try Self.liveActivities(settings, pools, arenas, publications, membership, ownership, receipts, clock)
        if push == nil { logger.warning("no signing key is set: nothing is pushed") }
        ingest = IngestServices(
            settings,
            journal: journal,
            publications: publications,
            database: database,
            membership: membership,
            distributor: PublicationDistributor(
                matches: matches,
                hub: hub,
                journal: journal,
                receipts: receipts,
                push: push
            ),
            clock: clock
        )
        feeds = FeedRecords(pool: pools.duty)
        audit = Self.auditUpkeep(settings, pools, clock)
        flags = FlagCache(clock: clock)
        flagWatch = FlagWatch(FlagRecords(pool: pools.duty), cache: flags, hub: hub, dispatcher: push?.dispatcher)
        // Before anything is sent: what was switched off stays off.
        try await flagWatch.load()
        health = NodeHealth(
            pools.duty,
            membership,
            publications,
            hasFeeds: !settings.feeds.isEmpty,
            channelProblem: { [push] in push?.channelProblem }
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
        _ arenas: ArenaIndex,
        _ publications: PublicationCache,
        _ membership: Membership,
        _ ownership: BucketOwnership,
        _ receipts: ReceiptMonitor,
        _ clock: ServiceClock
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
            stores: FollowerStores(pool: pools.duty, clock: clock, arenas: arenas),
            progress: ProgressRecords(pool: pools.progress, clock: clock) { membership.term },
            publications: publications,
            membership: membership,
            ownership: ownership,
            receipts: receipts,
            clock: clock,
            attempts: AttemptLog(Logger(label: "score.push.attempts"), clock: clock)
        )
    }

    /// The watch on the signing key's file; nil without one.
    var keyWatch: SigningKeyWatch? {
        guard let push, let key = settings.push.key else { return nil }
        return SigningKeyWatch(file: key.file, keyID: key.id) { await push.dispatcher.use($0, keyID: $1) }
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

    func internalListener() throws -> HTTPListener {
        try HTTPServers.buildInternalApplication(
            InternalDependencies(
                matches: matches,
                hub: hub,
                store: PostgresAdminStore(pool: pools.duty),
                feeds: FeedOperations(ingest: ingest.polling, records: feeds, settings: settings.feeds),
                control: MatchOperations(
                    journal: journal,
                    publisher: ingest.publisher,
                    hub: hub,
                    ending: push?.ending,
                    activities: followers.activities,
                    receipts: receiptCounts
                ),
                stuck: receipts,
                overrides: journal,
                aliases: AliasRecords(pool: pools.duty),
                flags: FlagRecords(pool: pools.duty),
                pipeline: { [push, receipts, followers] in
                    .record([
                        "arenas": followers.arenas.status.json, "activitiesStuck": .whole(receipts.stuckCount),
                        "dispatcher": await push?.dispatcher.status().json ?? .null,
                    ])
                },
                sweep: { [push] slot, maxItems, isDryRun in
                    try await push?.sweep.sweep(slot: slot, maxItems: maxItems, isDryRun: isDryRun)
                        ?? SweepSummary(slot: slot, isDryRun: isDryRun)
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
