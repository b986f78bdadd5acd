// Makes all rooms of a node in the order in which they stand on one another.

import CurlTransfer
import FollowService
import Foundation
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
    /// What `/version` tells.
    let version: String

    /// Makes a node that has joined the fleet and can be run.
    func make() async throws -> Node {
        let pools = NodePools(database)
        let duty = pools.duty
        let journal = Journal(pool: pools.journal)
        let membership = try await joined()
        let hub = StreamHub(caps: settings.streamCaps, clock: clock)
        let recall = Mutex<Publisher?>(nil)
        let shelf = MatchShelf.over(Journal(pool: pools.api)) { recall.withLock { $0 } }
        let acknowledgements = AcknowledgementDesk(clock: clock)
        let outlets = Outlets(shelf: shelf, hub: hub, journal: journal, acknowledgements: acknowledgements)
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
        let late = LateTokens()
        let arenas = ArenaIndex(info: database, pool: duty, clock: clock, onAdded: { late.report($0) })
        let ownership = BucketOwnership(membership: membership, arenas: arenas)
        let phones = FollowRooms(pool: pools.api, clock: clock, arenas: arenas)
        let push = try PushFactory(
            settings: settings,
            outlets: outlets,
            publisher: pipeline.publisher,
            membership: membership,
            ownership: ownership,
            follow: FollowRooms(pool: duty, clock: clock, arenas: arenas),
            progress: ProgressRecords(pool: pools.progress, clock: clock),
            pool: duty,
            clock: clock
        ).make(late)
        if push == nil { logger.warning("no signing key is set: nothing is pushed") }
        let health = healthJoin(duty, membership, pipeline.publisher)
        let inbox = notices(pipeline.ingest, pool: duty)
        let feeds = feedJoin(pipeline.ingest, FeedRecords(pool: duty))
        let status = PipelineJoin(arenas: arenas, dispatcher: push?.dispatcher, acknowledgements: acknowledgements)
        return Node(
            settings: settings,
            membership: membership,
            pipeline: pipeline,
            arenas: arenas,
            push: push,
            ownership: ownership,
            health: health,
            publicListener: publicListener(shelf, hub, phones, push, inbox, acknowledgements),
            internalListener: try internalListener(shelf, hub, journal, pipeline, feeds, push, health, status, duty),
            recent: RecentMatches(journal: journal, shelf: shelf, publisher: pipeline.publisher)
        )
    }

    private func joined() async throws -> Membership {
        let membership = Membership(info: database, node: settings.node, clock: clock)
        try await membership.join()
        return membership
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
        _ shelf: MatchShelf,
        _ hub: StreamHub,
        _ follow: FollowRooms,
        _ push: PushRooms?,
        _ notices: NoticeJoin,
        _ acknowledgements: AcknowledgementDesk
    ) -> HTTPListener {
        let rooms = PublicRooms(
            matches: shelf,
            devices: follow.devices,
            follows: follow.follows,
            activities: follow.activities,
            channels: follow.channels,
            acknowledgements: acknowledgements,
            attributesType: settings.push.attributesType,
            endActivities: { await push?.end.end($0) },
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
        _ shelf: MatchShelf,
        _ hub: StreamHub,
        _ journal: Journal,
        _ pipeline: Pipeline,
        _ feeds: FeedJoin,
        _ push: PushRooms?,
        _ health: HealthJoin,
        _ status: PipelineJoin,
        _ pool: Pool
    ) throws -> HTTPListener {
        let control = ControlJoin(
            journal: journal,
            publisher: pipeline.publisher,
            hub: hub,
            end: push?.end,
            pool: pool
        )
        let rooms = InternalRooms(
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

/// The stores of followers, made over one pool: there is a set for phones and another for the node's own work.
struct FollowRooms: Sendable {
    let arenas: ArenaIndex
    let devices: FollowService.Devices
    let follows: FollowService.Follows
    let activities: FollowService.Activities
    let channels: ChannelRecords
    let providerTokens: ProviderTokenRecords
    let starts: StartCandidates

    init(pool: Pool, clock: ServiceClock, arenas: ArenaIndex) {
        self.arenas = arenas
        devices = Devices(pool: pool, clock: clock, onWritten: { arenas.wake() })
        follows = Follows(pool: pool, clock: clock, onWritten: { arenas.wake() })
        activities = Activities(pool: pool, clock: clock, onWritten: { arenas.wake() })
        channels = ChannelRecords(pool: pool, clock: clock)
        providerTokens = ProviderTokenRecords(pool: pool)
        starts = StartCandidates(pool: pool, clock: clock)
    }
}

/// The answer of a node that pushes nothing, and so has nothing to sweep.
struct NoSweeping: StaleSweeping {
    func sweep(slot: String, maxItems: Int, isDryRun: Bool) async throws -> SweepSummary {
        SweepSummary(slot: slot, isDryRun: isDryRun)
    }
}
