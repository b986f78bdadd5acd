// Makes the parts of a node in the order in which they depend on one another.

import CurlTransfer
import FollowService
import Foundation
import LiveActivities
import Logging
import MatchJournal
import Postgres
import PushDispatcher
import ScoreIngest
import ScoreTypes

/// Builds nodes.
struct NodeFactory: Sendable {
    let settings: ServerConfiguration
    let database: ConnectionInfo
    let clock: ServiceClock
    let metrics: MetricRegistry
    let logger: Logger
    /// The version that `/version` reports.
    let version: String

    /// Makes a node that has joined the fleet and can be run.
    func make() async throws -> Node {
        let pools = NodePools(database)
        let duty = pools.duty
        let journal = Journal(pool: pools.journal)
        let membership = try await joined()
        let hub = StreamHub(caps: settings.streamCaps, clock: clock)
        let publications = PublicationCache(
            journal: journal,
            clock: clock,
            scheme: settings.deepLinkScheme,
            options: settings.engine
        )
        let shelf = MatchCache.over(Journal(pool: pools.api), publications)
        let receipts = ReceiptMonitor(clock: clock)
        let arenas = ArenaIndex(info: database, pool: duty, clock: clock)
        let ownership = BucketOwnership(membership: membership, arenas: arenas)
        let phones = FollowerStores(pool: pools.api, clock: clock, arenas: arenas)
        let push = try liveActivities(
            FollowerStores(pool: duty, clock: clock, arenas: arenas),
            ProgressRecords(pool: pools.progress, clock: clock) { membership.term },
            publications,
            membership,
            ownership
        )
        if push == nil { logger.warning("no signing key is set: nothing is pushed") }
        let pipeline = Pipeline.build(
            settings,
            publications: publications,
            journal: journal,
            database: database,
            membership: membership,
            outlets: Outlets(shelf: shelf, hub: hub, journal: journal, receipts: receipts, push: push),
            driver: TransferDriver(name: "feeds"),
            clock: clock
        )
        let health = nodeHealth(duty, membership, publications)
        let records = FeedRecords(pool: duty)
        let notices = NoticeIntake(ingest: pipeline.ingest, feeds: settings.feeds, records: records, clock: clock)
        return Node(
            settings: settings,
            membership: membership,
            pipeline: pipeline,
            arenas: arenas,
            push: push,
            keyWatch: keyWatch(push),
            ownership: ownership,
            health: health,
            publicListener: publicListener(shelf, hub, phones, push, notices, receipts),
            internalListener: try internalListener(
                shelf,
                hub,
                journal,
                pipeline,
                phones,
                feedOperations(pipeline.ingest, records),
                push,
                health,
                receipts,
                duty
            ),
            recent: RecentMatches(journal: journal, shelf: shelf, publications: publications)
        )
    }

    private func joined() async throws -> Membership {
        let membership = Membership(info: database, node: settings.node, clock: clock)
        try await membership.join()
        return membership
    }

    /// The services that push; nil without a signing key.
    private func liveActivities(
        _ stores: FollowerStores,
        _ progress: ProgressRecords,
        _ publications: PublicationCache,
        _ membership: Membership,
        _ ownership: BucketOwnership
    ) throws -> LiveActivityServices? {
        guard let key = settings.push.key else { return nil }
        return LiveActivityServices(
            LiveActivityServices.Configuration(
                dispatcher: try DispatcherConfiguration(settings.push, key: key),
                attributesType: settings.push.attributesType,
                deepLinkScheme: settings.deepLinkScheme,
                deletesUnknownChannels: settings.push.deletesUnknownChannels,
                // The key's file is a secret that all nodes have; its bytes only enter a hash.
                requestIDKey: FileManager.default.contents(atPath: key.file).map { Array($0) } ?? []
            ),
            stores: stores,
            progress: progress,
            publications: publications,
            membership: membership,
            ownership: ownership,
            clock: clock,
            attempts: AttemptLog(Logger(label: "score.push.attempts"), clock: clock)
        )
    }

    private func keyWatch(_ push: LiveActivityServices?) -> SigningKeyWatch? {
        guard let push, let key = settings.push.key else { return nil }
        return SigningKeyWatch(file: key.file, keyID: key.id) { await push.dispatcher.use($0, keyID: $1) }
    }

    private func nodeHealth(_ pool: Pool, _ membership: Membership, _ publications: PublicationCache) -> NodeHealth {
        NodeHealth(
            pool: pool,
            membership: membership,
            publications: publications,
            feedURL: settings.feeds.first?.url
        )
    }

    private func feedOperations(_ ingest: IngestService, _ records: FeedRecords) -> FeedOperations {
        FeedOperations(
            ingest: ingest,
            feeds: records,
            providers: Dictionary(settings.feeds.map { ($0.id, $0.provider.rawValue) }) { first, _ in first }
        )
    }

    private func publicListener(
        _ shelf: MatchCache,
        _ hub: StreamHub,
        _ follow: FollowerStores,
        _ push: LiveActivityServices?,
        _ notices: NoticeIntake,
        _ receipts: ReceiptMonitor
    ) -> HTTPListener {
        let dependencies = PublicDependencies(
            matches: shelf,
            devices: follow.devices,
            follows: follow.follows,
            activities: follow.activities,
            channels: follow.channels,
            receipts: receipts,
            attributesType: settings.push.attributesType,
            endActivities: { await push?.ending.end($0) },
            notices: notices,
            hub: hub
        )
        return HTTPServers.buildPublicApplication(
            dependencies,
            address: settings.publicAddress,
            limits: settings.limits,
            trustedProxies: settings.trustedProxies,
            config: ClientConfig(deepLinkScheme: settings.deepLinkScheme),
            node: settings.node,
            clock: clock,
            logger: logger
        )
    }

    private func internalListener(
        _ shelf: MatchCache,
        _ hub: StreamHub,
        _ journal: Journal,
        _ pipeline: Pipeline,
        _ phones: FollowerStores,
        _ feeds: FeedOperations,
        _ push: LiveActivityServices?,
        _ health: NodeHealth,
        _ receipts: ReceiptMonitor,
        _ pool: Pool
    ) throws -> HTTPListener {
        let control = MatchOperations(
            journal: journal,
            publisher: pipeline.publisher,
            hub: hub,
            ending: push?.ending,
            activities: phones.activities
        )
        let arenas = phones.arenas
        let dependencies = InternalDependencies(
            matches: shelf,
            hub: hub,
            store: PostgresAdminStore(pool: pool),
            feeds: feeds,
            control: control,
            overrides: journal,
            aliases: AliasRecords(pool: pool),
            pipeline: {
                .record([
                    "arenas": arenas.status.json, "activitiesStuck": .integer(Int64(receipts.stuckCount)),
                    "dispatcher": await push?.dispatcher.status().json ?? .null,
                ])
            },
            sweep: { slot, maxItems, isDryRun in
                try await push?.sweep.sweep(slot: slot, maxItems: maxItems, isDryRun: isDryRun)
                    ?? SweepSummary(slot: slot, isDryRun: isDryRun)
            },
            health: health,
            metrics: metrics
        )
        return try HTTPServers.buildInternalApplication(
            dependencies,
            address: settings.internalAddress,
            limits: settings.limits,
            version: version,
            clock: clock,
            logger: logger
        )
    }
}
