// Makes all rooms of a node in the order in which they stand on one another.

import FollowService
import Foundation
import Logging
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
        let apiPool = Pool(database, size: Node.apiConnections, name: "api")
        let journal = Journal(pool: Pool(database, size: Node.journalConnections, name: "journal"))
        let membership = Membership(info: database, node: settings.node, clock: clock)
        try await membership.join()

        let hub = StreamHub(caps: settings.streamCaps, clock: clock)
        let recall = Mutex<Publisher?>(nil)
        let shelf = MatchShelf.over(journal) { recall.withLock { $0 } }
        let outlets = Outlets(shelf: shelf, hub: hub, journal: journal)
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
        let arenas = ArenaIndex(info: database, pool: apiPool, clock: clock, onAdded: { late.report($0) })
        let ownership = BucketOwnership(membership: membership, arenas: arenas)
        let follow = FollowRooms(pool: apiPool, clock: clock, arenas: arenas)
        let push = try await connect(outlets, pipeline, membership, ownership, follow, late, pool: apiPool)
        let health = HealthJoin(
            pool: apiPool,
            membership: membership,
            publisher: pipeline.publisher,
            feedURL: settings.feeds.first?.url
        )
        let feedRecords = FeedRecords(pool: apiPool)
        let feeds = feedJoin(pipeline.ingest, feedRecords)
        return Node(
            settings: settings,
            membership: membership,
            pipeline: pipeline,
            arenas: arenas,
            push: push,
            ownership: ownership,
            health: health,
            publicListener: publicListener(shelf, hub, follow, push, notices(pipeline.ingest, pool: apiPool)),
            internalListener: try internalListener(
                shelf,
                hub,
                journal,
                pipeline,
                feeds,
                push,
                health,
                arenas,
                pool: apiPool
            ),
            feedRecords: feedRecords
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

    private func connect(
        _ outlets: Outlets,
        _ pipeline: Pipeline,
        _ membership: Membership,
        _ ownership: BucketOwnership,
        _ follow: FollowRooms,
        _ late: LateTokens,
        pool: Pool
    ) async throws -> PushRooms? {
        guard let key = settings.push.key else {
            logger.warning("no signing key is set: nothing is pushed")
            return nil
        }
        let closing = EndClosing(activities: follow.activities)
        let dispatcher = try makeDispatcher(key, closing, membership, ownership, follow)
        late.connect(dispatcher)
        let audience = Audience(
            rooms: Audience.Rooms(
                arenas: follow.arenas,
                starts: follow.starts,
                dispatcher: dispatcher,
                membership: { ownership.buckets },
                clock: clock,
                environments: settings.push.environments.keys.sorted { $0.code < $1.code },
                attributesType: settings.push.attributesType
            )
        )
        let alerts = AlertDesk(
            audience: follow.alerts,
            dispatcher: dispatcher,
            buckets: { ownership.buckets },
            clock: clock,
            scheme: settings.deepLinkScheme
        )
        outlets.connect(audience, dispatcher, alerts)
        let end = AudienceEnd(
            activities: follow.activities,
            devices: follow.devices,
            dispatcher: dispatcher,
            publisher: pipeline.publisher,
            pool: pool,
            closing: closing
        )
        let sweep = SweepJoin(
            silent: SilentActivities(activities: follow.activities),
            ledger: SweepLedger(pool: pool, clock: clock),
            end: end,
            publisher: pipeline.publisher,
            membership: membership,
            buckets: { ownership.buckets },
            clock: clock
        )
        let keyWatch = SigningKeyWatch(file: key.file, keyID: key.id) { await dispatcher.use($0, keyID: $1) }
        return PushRooms(
            dispatcher: dispatcher,
            audience: audience,
            alerts: alerts,
            end: end,
            sweep: sweep,
            keyWatch: keyWatch
        )
    }

    private func makeDispatcher(
        _ key: ServerConfiguration.Push.Key,
        _ closing: EndClosing,
        _ membership: Membership,
        _ ownership: BucketOwnership,
        _ follow: FollowRooms
    ) throws -> Dispatcher {
        Dispatcher(
            configuration: try DispatcherConfiguration(settings.push, key: key),
            tokens: TokenJoin(arenas: follow.arenas),
            progress: ProgressJoin(records: follow.progress, term: { membership.term }),
            channels: ChannelJoin(records: follow.channels, buckets: { ownership.buckets }),
            providerTokens: ProviderTokenJoin(records: follow.providerTokens),
            clock: clock,
            observer: DirectedClosing(ends: closing, devices: follow.devices),
            // All nodes have the key's file and nobody else does; it only goes into a hash.
            idKey: FileManager.default.contents(atPath: key.file).map { Array($0) } ?? [],
            maySend: { membership.isTrusted }
        )
    }

    private func publicListener(
        _ shelf: MatchShelf,
        _ hub: StreamHub,
        _ follow: FollowRooms,
        _ push: PushRooms?,
        _ notices: NoticeJoin
    ) -> HTTPListener {
        let rooms = PublicRooms(
            matches: shelf,
            devices: DeviceJoin(devices: follow.devices, follows: follow.follows) { await push?.end.end($0) },
            follows: FollowJoin(store: follow.follows),
            activities: ActivityJoin(activities: follow.activities),
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
        _ arenas: ArenaIndex,
        pool: Pool
    ) throws -> HTTPListener {
        let control = ControlJoin(
            journal: journal,
            publisher: pipeline.publisher,
            shelf: shelf,
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
            pipeline: PipelineJoin(arenas: arenas, dispatcher: push?.dispatcher),
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

/// The stores of followers, made over one pool.
struct FollowRooms: Sendable {
    let arenas: ArenaIndex
    let devices: FollowService.Devices
    let follows: FollowService.Follows
    let activities: FollowService.Activities
    let channels: ChannelRecords
    let progress: ProgressRecords
    let providerTokens: ProviderTokenRecords
    let starts: StartCandidates
    let alerts: AlertAudience

    init(pool: Pool, clock: ServiceClock, arenas: ArenaIndex) {
        self.arenas = arenas
        devices = Devices(pool: pool, clock: clock, onWritten: { arenas.wake() })
        follows = Follows(pool: pool, clock: clock)
        activities = Activities(pool: pool, clock: clock, onWritten: { arenas.wake() })
        channels = ChannelRecords(pool: pool, clock: clock)
        progress = ProgressRecords(pool: pool, clock: clock)
        providerTokens = ProviderTokenRecords(pool: pool)
        starts = StartCandidates(pool: pool, clock: clock)
        alerts = AlertAudience(pool: pool, clock: clock)
    }
}

/// The rooms on the way to Apple; there are none without a signing key.
struct PushRooms: Sendable {
    let dispatcher: Dispatcher
    let audience: Audience
    let alerts: AlertDesk
    let end: AudienceEnd
    let sweep: SweepJoin
    let keyWatch: SigningKeyWatch
}

/// Tokens that came after their bucket was walked, brought from the arenas' tail to the dispatcher.
final class LateTokens: Sendable {
    private let dispatcher = Mutex<Dispatcher?>(nil)

    func connect(_ dispatcher: Dispatcher) { self.dispatcher.withLock { $0 = dispatcher } }

    func report(_ additions: [ArenaAddition]) {
        guard let dispatcher = dispatcher.withLock({ $0 }) else { return }
        for addition in additions {
            dispatcher.late(
                match: addition.match,
                device: addition.device,
                generation: addition.generation,
                environment: addition.environment,
                variant: addition.variant.rawValue,
                knownRev: addition.knownRev
            )
        }
    }
}

/// The answer of a node that pushes nothing, and so has nothing to sweep.
struct NoSweeping: StaleSweeping {
    func sweep(slot: String, maxItems: Int, isDryRun: Bool) async throws -> SweepSummary {
        SweepSummary(slot: slot, isDryRun: isDryRun)
    }
}
