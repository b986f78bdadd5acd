// Nodes of one fleet with the services that push, over one database and one simulated APNs.

import FollowService
import Foundation
import MatchEngine
import MatchSamples
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import LiveActivities
@testable import MatchJournal

/// A database, APNs, and the phones of a test.
struct PushSetup {
    let info: ConnectionInfo
    let pool: Pool
    private let account: APNsTestAccount
    private let folder: URL

    init() async throws {
        info = try await ScratchDatabase.make()
        pool = Pool(info, size: 4, name: "setup")
        folder = FileManager.default.temporaryDirectory.appending(path: "push-setup-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        account = try await APNsTestAccount.open(in: folder)
    }

    var apple: APNsSimulator { account.simulator }

    /// Creates a node that has joined the fleet; of its services those run that are not driven by a timer.
    func node(_ name: String, speed: Int = 1, deletesUnknownChannels: Bool = false) async throws -> PushNode {
        try await PushNode(
            name,
            LiveActivityServices.Configuration(
                dispatcher: try account.dispatcherConfiguration(),
                attributesType: APNsTestAccount.attributesType,
                deepLinkScheme: "score",
                deletesUnknownChannels: deletesUnknownChannels
            ),
            info,
            ServiceClock(speed: speed)
        )
    }

    /// Runs the body with a node that owns all buckets and reads followers often.
    static func withAudience(_ body: (PushSetup, PushNode) async throws -> Void) async throws {
        let setup = try await PushSetup()
        let node = try await setup.node("a", speed: 1000)
        try await node.ownership.claim()
        let running = Task { await node.push.audience.run() }
        do { try await body(setup, node) } catch { Issue.record(error) }
        running.cancel()
        await running.value
        await setup.stop(node)
    }

    func stop(_ nodes: PushNode...) async {
        for node in nodes { await node.stop() }
        await apple.stop()
        await pool.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// A device for each number, spread over all buckets.
    static func device(_ number: Int) -> DeviceID {
        let mixed = UInt64(number) &* 0x9e37_79b9_7f4a_7c15
        return DeviceID(high: mixed, low: mixed ^ (mixed >> 29))
    }

    static func token(_ number: Int) -> PushToken {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }
        return PushToken(bytes: bytes) ?? token(1)
    }

    /// A phone with a token of a kind; the log receives what APNs delivers to it.
    func screen(_ number: Int, _ kind: PhoneTokenKind = .activity) -> PhoneLog {
        let log = PhoneLog()
        apple.register(token: Self.token(number), kind: kind) { log.show($0) }
        return log
    }

    /// Lets the database accept or refuse new connections; those that are open stay open.
    func acceptConnections(_ accepts: Bool) async throws {
        // `alter database` refuses this for the database of the session.
        let change: Statement = "update pg_database set datallowconn = $1 where datname = current_database()"
        try await pool.execute(change, [.bool(accepts)])
    }

    func number(_ statement: Statement, _ binds: [Bind] = []) async throws -> Int64 {
        try await pool.query(statement, binds) { try $0.int(0) }.first ?? -1
    }
}

extension APNsTestAccount {
    /// The settings of a dispatcher that connects to the simulator.
    func dispatcherConfiguration() throws -> DispatcherConfiguration {
        let settings = serverSettings
        func setting(_ name: String) throws -> String { try #require(settings[name]) }
        func endpoint(_ port: Int) -> DispatcherConfiguration.Endpoint {
            DispatcherConfiguration.Endpoint(host: Self.host, port: UInt16(clamping: port))
        }
        let authority = try setting("APNS_CA_FILE")
        return DispatcherConfiguration(
            bundleID: Self.bundleID,
            teamID: try setting("APNS_TEAM_ID"),
            keyID: try setting("APNS_KEY_ID"),
            signingKey: try SigningKey(contentsOfFile: try setting("APNS_KEY_FILE")),
            variants: [SurfaceRenderer.attributesType: ActivityVariant.portable.rawValue],
            environments: [
                .sandbox: DispatcherConfiguration.Endpoints(
                    push: endpoint(simulator.pushPort),
                    management: endpoint(simulator.managementPort)
                )
            ],
            authorities: Array(try #require(FileManager.default.contents(atPath: authority)))
        )
    }
}

/// One node without listeners and feeds.
final class PushNode: Sendable {
    let membership: Membership
    let ownership: BucketOwnership
    let follow: FollowerStores
    let publications: PublicationCache
    let publisher: Publisher
    let push: LiveActivityServices
    let receipts: ReceiptMonitor
    private let journal: Journal
    private let pools: [Pool]
    private let tasks: [Task<Void, Never>]

    fileprivate init(
        _ name: String,
        _ configuration: LiveActivityServices.Configuration,
        _ info: ConnectionInfo,
        _ clock: ServiceClock
    ) async throws {
        let (api, journalPool) = (Pool(info, size: 4, name: "api"), Pool(info, size: 2, name: "journal"))
        pools = [api, journalPool]
        let journal = Journal(pool: journalPool)
        self.journal = journal
        // No test waits for a term to end; a busy machine must not end one.
        let membership = Membership(
            info: info,
            node: NodeID(unchecked: name),
            clock: clock,
            timeToLive: .seconds(60)
        )
        self.membership = membership
        try await membership.join()
        publications = PublicationCache(journal: journal, clock: clock, scheme: configuration.deepLinkScheme)
        let arenas = ArenaIndex(info: info, pool: api, clock: clock)
        ownership = BucketOwnership(membership: membership, arenas: arenas)
        follow = FollowerStores(pool: api, clock: clock, arenas: arenas)
        receipts = ReceiptMonitor(clock: clock) { [ownership] in ownership.owns($0) }
        let push = LiveActivityServices(
            configuration,
            stores: follow,
            progress: ProgressRecords(pool: api, clock: clock) { membership.term },
            publications: publications,
            membership: membership,
            ownership: ownership,
            receipts: receipts,
            clock: clock
        )
        self.push = push
        let publisher = Publisher(publications, info: info) { head in
            await push.updateHold(of: head)
            return true
        } outlet: {
            await push.publish($0)
        }
        self.publisher = publisher
        tasks = [
            Task { try? await membership.run() },
            Task { await arenas.run { late in push.dispatcher.late(late) } },
            Task { await push.dispatcher.run() }, Task { await push.followBuckets() }, Task { await publisher.run() },
        ]
    }

    func stop() async {
        for task in tasks.reversed() {
            task.cancel()
            await task.value
        }
        for pool in pools { await pool.close() }
    }

    /// Writes the report of a feed about a match, as its poller would; `wicket` is the ball with one.
    ///
    /// - Returns: The revision of the report; 0 if it changed nothing.
    @discardableResult
    func report(
        _ match: MatchID = Samples.match,
        balls: Int = 7,
        wicket: Int? = nil,
        status: MatchStatus = .live,
        startsAt: Int64? = Samples.info().startsAt
    ) async throws -> Int64 {
        let writer = MatchWriter(
            match: match,
            feed: FeedID(unchecked: "test"),
            journal: journal,
            fence: { [membership] in membership.fence() },
            clock: ServiceClock(),
            committed: { [publisher] in publisher.wake($0) }
        )
        var info = Samples.info()
        info.startsAt = startsAt
        var deliveries = Samples.deliveries(balls)
        if let wicket {
            deliveries[wicket].dismissals = [Scorebook.dismissal("Rohit Sharma")]
            // Each report is that of a new writer: none of them waits for a confirmation.
            deliveries[wicket].isFinal = true
        }
        let snapshot = MatchSnapshot(
            info: info,
            innings: balls > 0 ? [InningsInfo(ordinal: 1, batting: .first)] : [],
            deliveries: deliveries,
            status: StatusReport(status: status),
            result: nil
        )
        let acceptance = try await writer.accept(SeenReply(snapshot, seenAt: ServiceClock().wall, source: .server))
        return if case .applied(let revision) = acceptance { revision.number } else { 0 }
    }

    /// Registers a phone that follows a match, with a token that starts its activities.
    func phone(
        _ number: Int,
        follows match: MatchID = Samples.match,
        abilities: DeviceAbilities = [.activities, .frequentPushes, .alerts],
        startToken: Int? = nil
    ) async throws {
        let device = PushSetup.device(number)
        _ = try await follow.devices.register(
            NewDevice(
                device: device,
                environment: .sandbox,
                bundleID: APNsTestAccount.bundleID,
                abilities: abilities,
                credentialHash: [UInt8](repeating: 1, count: 32)
            )
        )
        if let startToken {
            _ = try await follow.devices.setToken(
                DeviceTokenRegistration(
                    device: device,
                    kind: .pushToStart,
                    token: PushSetup.token(startToken),
                    environment: .sandbox,
                    clientSequence: 1
                )
            )
        }
        _ = try await follow.follows.put(FollowSettings(match: match), of: device, clientSequence: 1)
    }

    /// The match's channel with the usual alerts, which an app's follow has requested.
    func requestedChannel() async throws -> ChannelID {
        let kind = ChannelKind(
            match: Samples.match,
            environment: .sandbox,
            attributesType: APNsTestAccount.attributesType,
            profile: .loud
        )
        _ = try await follow.channels.currentOrRequested([kind])
        await push.channels.createRequested()
        return try #require(try await follow.channels.currentOrRequested([kind])[kind])
    }

    /// Registers the activity that a phone shows.
    func activity(
        _ number: Int,
        name: String = "activity",
        route: ActivityRoute? = nil,
        age: Duration = .zero,
        sequence: Int64 = 1
    ) async throws {
        _ = try await follow.activities.register(
            ActivityRegistration(
                device: PushSetup.device(number),
                match: Samples.match,
                activityID: ActivityID(unchecked: "\(name)-\(number)"),
                environment: .sandbox,
                route: route ?? .token(PushSetup.token(number)),
                startedAt: ServiceClock().wall + (.zero - age),
                startedBy: .push,
                clientSequence: sequence
            )
        )
    }
}
