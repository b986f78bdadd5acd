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
import Synchronization

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
        let recall = Mutex<Publisher?>(nil)
        let shelf = MatchCache.over(Journal(pool: pools.api)) { recall.withLock { $0 } }
        let receipts = ReceiptMonitor(clock: clock)
        let outlets = Outlets(shelf: shelf, hub: hub, journal: journal, receipts: receipts)
        let pipeline = Pipeline.build(
            settings,
            journal: journal,
            database: database,
            membership: membership,
            outlets: outlets,
            driver: TransferDriver(name: "feeds"),
            clock: clock
        )
        recall.withLock { $0 = pipeline.publisher }
        let arenas = ArenaIndex(info: database, pool: duty, clock: clock)
        let ownership = BucketOwnership(membership: membership, arenas: arenas)
        let phones = FollowerStores(pool: pools.api, clock: clock, arenas: arenas)
        let push = try liveActivities(
            FollowerStores(pool: duty, clock: clock, arenas: arenas),
            ProgressRecords(pool: pools.progress, clock: clock) { membership.term },
            pipeline.publisher,
            membership,
            ownership
        )
        if let push { outlets.connect(push) } else { logger.warning("no signing key is set: nothing is pushed") }
        let health = healthJoin(duty, membership, pipeline.publisher)
        let inbox = notices(pipeline.ingest, pool: duty)
        let feeds = feedJoin(pipeline.ingest, FeedRecords(pool: duty))
        let status = PipelineJoin(arenas: arenas, dispatcher: push?.dispatcher, receipts: receipts)
        return Node(
            settings: settings,
            membership: membership,
            pipeline: pipeline,
            arenas: arenas,
            push: push,
            keyWatch: keyWatch(push),
            ownership: ownership,
            health: health,
            publicListener: publicListener(shelf, hub, phones, push, inbox, receipts),
            internalListener: try internalListener(
                shelf,
                hub,
                journal,
                pipeline,
                phones,
                feeds,
                push,
                health,
                status,
                duty
            ),
            recent: RecentMatches(journal: journal, shelf: shelf, publisher: pipeline.publisher)
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
        _ publisher: Publisher,
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
            publisher: publisher,
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

    private func healthJoin(_ pool: Pool, _ membership: Membership, _ publisher: Publisher) -> HealthJoin {
        HealthJoin(
            pool: pool,
            membership: membership,
            publisher: publisher,
            feedURL: settings.feeds.first?.url
        )
    }

    private func feedJoin(_ ingest: IngestService, _ records: FeedRecords) -> FeedJoin {
        FeedJoin(
            ingest: ingest,
            feeds: records,
            providers: Dictionary(settings.feeds.map { ($0.id, $0.provider.rawValue) }) { first, _ in first }
        )
    }

    private func notices(_ ingest: IngestService, pool: Pool) -> NoticeJoin {
        NoticeJoin(ingest: ingest, feeds: settings.feeds, pool: pool, clock: clock)
    }

    private func publicListener(
        _ shelf: MatchCache,
        _ hub: StreamHub,
        _ follow: FollowerStores,
        _ push: LiveActivityServices?,
        _ notices: NoticeJoin,
        _ receipts: ReceiptMonitor
    ) -> HTTPListener {
        let rooms = PublicDependencies(
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
            rooms,
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
        _ feeds: FeedJoin,
        _ push: LiveActivityServices?,
        _ health: HealthJoin,
        _ status: PipelineJoin,
        _ pool: Pool
    ) throws -> HTTPListener {
        let control = ControlJoin(
            journal: journal,
            publisher: pipeline.publisher,
            hub: hub,
            ending: push?.ending,
            activities: phones.activities
        )
        let rooms = InternalDependencies(
            matches: shelf,
            hub: hub,
            store: PostgresAdminStore(pool: pool),
            feeds: feeds,
            control: control,
            aliases: AliasJoin(records: AliasRecords(pool: pool)),
            pipeline: status,
            sweeping: push.map { $0.sweep as any StaleSweeping } ?? NoSweeping(),
            health: health,
            metrics: metrics
        )
        return try HTTPServers.buildInternalApplication(
            rooms,
            address: settings.internalAddress,
            limits: settings.limits,
            version: version,
            clock: clock,
            logger: logger
        )
    }
}

/// The sweep of a node that pushes nothing: there is nothing to end.
struct NoSweeping: StaleSweeping {
    func sweep(slot: String, maxItems: Int, isDryRun: Bool) async throws -> SweepSummary {
        SweepSummary(slot: slot, isDryRun: isDryRun)
    }
}

extension SilentActivitySweep: StaleSweeping {}
