// Makes the services of a node in the order in which they depend on one another.

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

    /// The services that the listeners read and control.
    private struct Services {
        let pools: NodePools
        let journal: Journal
        let matches: MatchCache
        let hub: StreamHub
        let receipts: ReceiptMonitor
        /// The stores of followers for requests of phones.
        let followers: FollowerStores
        /// nil without a signing key.
        let push: LiveActivityServices?
        let ingest: IngestServices
        let feeds: FeedRecords
        let health: NodeHealth
    }

    /// Makes a node that has joined the fleet and can be run.
    func make() async throws -> Node {
        let pools = NodePools(database)
        let journal = Journal(pool: pools.journal)
        let membership = Membership(info: database, node: settings.node, clock: clock)
        try await membership.join()
        let publications = PublicationCache(
            journal: journal,
            clock: clock,
            scheme: settings.deepLinkScheme,
            options: settings.engine
        )
        let matches = MatchCache(over: Journal(pool: pools.api), publications)
        let (hub, receipts) = (StreamHub(caps: settings.streamCaps, clock: clock), ReceiptMonitor(clock: clock))
        let arenas = ArenaIndex(info: database, pool: pools.duty, clock: clock)
        let ownership = BucketOwnership(membership: membership, arenas: arenas)
        let push = try liveActivities(pools, arenas, publications, membership, ownership)
        if push == nil { logger.warning("no signing key is set: nothing is pushed") }
        let ingest = IngestServices(
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
        let services = Services(
            pools: pools,
            journal: journal,
            matches: matches,
            hub: hub,
            receipts: receipts,
            followers: FollowerStores(pool: pools.api, clock: clock, arenas: arenas),
            push: push,
            ingest: ingest,
            feeds: FeedRecords(pool: pools.duty),
            health: NodeHealth(pools.duty, membership, publications, hasFeeds: !settings.feeds.isEmpty)
        )
        return Node(
            hasFeeds: !settings.feeds.isEmpty,
            membership: membership,
            ingest: ingest,
            arenas: arenas,
            push: push,
            keyWatch: keyWatch(push),
            ownership: ownership,
            health: services.health,
            publicListener: publicListener(services),
            internalListener: try internalListener(services),
            recent: RecentMatches(journal: journal, matches: matches, publications: publications)
        )
    }

    /// The services that push; nil without a signing key.
    private func liveActivities(
        _ pools: NodePools,
        _ arenas: ArenaIndex,
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
            stores: FollowerStores(pool: pools.duty, clock: clock, arenas: arenas),
            progress: ProgressRecords(pool: pools.progress, clock: clock) { membership.term },
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

    private func publicListener(_ services: Services) -> HTTPListener {
        let (push, followers) = (services.push, services.followers)
        return HTTPServers.buildPublicApplication(
            PublicDependencies(
                matches: services.matches,
                devices: followers.devices,
                follows: followers.follows,
                activities: followers.activities,
                channels: followers.channels,
                receipts: services.receipts,
                attributesType: settings.push.attributesType,
                endActivities: { await push?.ending.end($0) },
                notices: NoticeIntake(
                    ingest: services.ingest.polling,
                    feeds: settings.feeds,
                    records: services.feeds,
                    clock: clock
                ),
                hub: services.hub
            ),
            address: settings.publicAddress,
            limits: settings.limits,
            trustedProxies: settings.trustedProxies,
            config: ClientConfig(deepLinkScheme: settings.deepLinkScheme),
            node: settings.node,
            clock: clock,
            logger: logger
        )
    }

    private func internalListener(_ services: Services) throws -> HTTPListener {
        let (push, receipts, arenas) = (services.push, services.receipts, services.followers.arenas)
        return try HTTPServers.buildInternalApplication(
            InternalDependencies(
                matches: services.matches,
                hub: services.hub,
                store: PostgresAdminStore(pool: services.pools.duty),
                feeds: FeedOperations(
                    ingest: services.ingest.polling,
                    feeds: services.feeds,
                    providers: Dictionary(settings.feeds.map { ($0.id, $0.provider.rawValue) }) { first, _ in first }
                ),
                control: MatchOperations(
                    journal: services.journal,
                    publisher: services.ingest.publisher,
                    hub: services.hub,
                    ending: push?.ending,
                    activities: services.followers.activities
                ),
                overrides: services.journal,
                aliases: AliasRecords(pool: services.pools.duty),
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
                health: services.health,
                metrics: metrics
            ),
            address: settings.internalAddress,
            limits: settings.limits,
            version: version,
            clock: clock,
            logger: logger
        )
    }
}
