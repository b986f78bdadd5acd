// Nodes of one fleet as the product makes them, over one database and one simulated Apple, without listeners.

import FollowService
import Foundation
import HTTP2
import MatchEngine
import Postgres
import Providers
import PushDispatcher
import ScoreTypes
import Simulators
import Synchronization
import Testing

@testable import MatchJournal
@testable import ScoreIngest
@testable import ScoreServer

/// A database, Apple, and the phones of a test.
struct PushStage {
    let info: ConnectionInfo
    let pool: Pool
    let apple: APNsSimulator
    private let folder: DemoFolder

    init() async throws {
        info = try await ScratchDatabase.make()
        pool = Pool(info, size: 4, name: "stage")
        folder = try DemoFolder.make()
        let key = try #require(DemoKeyPair())
        let identity = try TLSIdentity.selfSigned(commonName: "apple", addresses: [DemoSupervisor.host])
        try folder.write(key, identity)
        apple = try await APNsSimulator.start(
            APNsSimulatorConfiguration(
                bundleID: DemoSupervisor.bundleID,
                teamID: DemoEnvironment.teamID,
                keyID: DemoEnvironment.keyID,
                publicKeyPEM: key.publicPEM,
                identity: identity
            )
        )
    }

    /// Makes a node that has joined the fleet and runs its standing parts.
    func node(_ name: String, speed: Int = 1, _ extra: [String: String] = [:]) async throws -> PushNode {
        try await PushNode(try settings(name, speed: speed, extra), info, ServiceClock(speed: speed))
    }

    /// The settings of a node of this fleet, with free ports and no feed.
    func settings(
        _ name: String,
        speed: Int = 1,
        _ extra: [String: String] = [:]
    ) throws -> ScoreServer.ServerConfiguration {
        var variables = DemoEnvironment(
            folder: folder,
            database: "postgresql:///unused",
            speed: speed,
            ports: (publicPort: 0, internalPort: 0),
            feedPort: 0,
            apns: apple
        ).variables
        variables["FEED_URL"] = nil
        variables["FEED_PLAIN_HTTP_HOSTS"] = nil
        variables["NODE_ID"] = name
        variables.merge(extra) { _, new in new }
        return try ConfigurationLoader.load(overrides: [:], environment: variables, file: "/nonexistent/.env")
    }

    /// A node that owns all buckets and looks for followers often, around the body.
    static func attending(_ body: (PushStage, PushNode) async throws -> Void) async throws {
        let stage = try await PushStage()
        let node = try await stage.node("a", speed: 1000)
        try await node.ownership.claim()
        let running = Task { await node.push.audience.run() }
        do { try await body(stage, node) } catch { Issue.record(error) }
        running.cancel()
        await running.value
        await stage.stop(node)
    }

    func stop(_ nodes: PushNode...) async {
        for node in nodes { await node.stop() }
        await apple.stop()
        await pool.close()
        folder.remove()
    }

    /// A device of its own bucket for each number, spread over all of them.
    static func device(_ number: Int) -> DeviceID {
        let mixed = UInt64(number) &* 0x9e37_79b9_7f4a_7c15
        return DeviceID(high: mixed, low: mixed ^ (mixed >> 29))
    }

    static func token(_ number: Int) -> PushToken {
        let bytes = (0..<32).map { UInt8(truncatingIfNeeded: number >> (8 * ($0 % 4))) }
        return PushToken(bytes: bytes) ?? token(1)
    }

    /// A phone with a token of a kind, on which this arrives.
    func screen(_ number: Int, _ kind: PhoneTokenKind = .activity) -> PhoneLog {
        let log = PhoneLog()
        apple.register(token: Self.token(number), kind: kind) { log.show($0) }
        return log
    }

    func number(_ statement: Statement, _ binds: [Bind] = []) async throws -> Int64 {
        try await pool.query(statement, binds) { try $0.int(0) }.first ?? -1
    }
}

/// What one phone was sent.
final class PhoneLog: Sendable {
    private let kept = Mutex<[DeliveredPush]>([])

    var all: [DeliveredPush] { kept.withLock { $0 } }
    var aps: [[String: Any]] {
        all.compactMap { push in
            let top = try? JSONSerialization.jsonObject(with: Data(push.body)) as? [String: Any]
            return top?["aps"] as? [String: Any]
        }
    }
    /// The line below the main one of the newest state.
    var sub: String? {
        guard let body = all.last?.body,
            let top = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any],
            let state = (top["aps"] as? [String: Any])?["content-state"] as? [String: Any]
        else { return nil }
        return (state["lockScreen"] as? [String: Any])?["sub"] as? String
    }
    func show(_ push: DeliveredPush) { kept.withLock { $0.append(push) } }
}

/// One node without listeners and feeds; its timers run only where a test asks for them.
final class PushNode: Sendable {
    let membership: Membership
    let ownership: BucketOwnership
    let follow: FollowRooms
    let publisher: Publisher
    let push: PushRooms
    private let journal: Journal
    private let pools: [Pool]
    private let tasks: [Task<Void, Never>]

    fileprivate init(_ settings: ScoreServer.ServerConfiguration, _ info: ConnectionInfo, _ clock: ServiceClock)
        async throws
    {
        let (api, journalPool) = (Pool(info, size: 4, name: "api"), Pool(info, size: 2, name: "journal"))
        pools = [api, journalPool]
        let journal = Journal(pool: journalPool)
        self.journal = journal
        // No test waits for a term to end; a busy machine must not end one.
        let membership = Membership(info: info, node: settings.node, clock: clock, timeToLive: .seconds(60))
        self.membership = membership
        try await membership.join()
        let hub = StreamHub(caps: settings.streamCaps, clock: clock)
        let outlets = Outlets(
            shelf: MatchShelf.over(journal) { nil },
            hub: hub,
            journal: journal,
            acknowledgements: AcknowledgementDesk(clock: clock)
        )
        let publisher = Publisher(
            journal: journal,
            info: info,
            clock: clock,
            scheme: settings.deepLinkScheme,
            standing: { await outlets.tellStanding($0) },
            outlet: { await outlets.publish($0) }
        )
        self.publisher = publisher
        let late = LateTokens()
        let arenas = ArenaIndex(info: info, pool: api, clock: clock, onAdded: { late.report($0) })
        ownership = BucketOwnership(membership: membership, arenas: arenas)
        follow = FollowRooms(pool: api, clock: clock, arenas: arenas)
        let push = try #require(
            try PushFactory(
                settings: settings,
                outlets: outlets,
                publisher: publisher,
                membership: membership,
                ownership: ownership,
                follow: follow,
                progress: ProgressRecords(pool: api, clock: clock),
                pool: api,
                clock: clock
            ).make(late)
        )
        self.push = push
        tasks = [
            Task { try? await membership.run() }, Task { await arenas.run() }, Task { await push.dispatcher.run() },
            Task { await publisher.run() },
        ]
    }

    func stop() async {
        for task in tasks.reversed() {
            task.cancel()
            await task.value
        }
        for pool in pools { await pool.close() }
    }

    /// Writes what a feed shows of a match that is on, as its poller would.
    ///
    /// - Returns: The revision that shows it; 0 when it was no news.
    @discardableResult
    func report(
        _ match: MatchID = Samples.match,
        balls: Int = 7,
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
        let snapshot = MatchSnapshot(
            info: info,
            innings: balls > 0 ? [InningsInfo(ordinal: 1, batting: .first)] : [],
            deliveries: Samples.deliveries(balls),
            status: StatusReport(status: status),
            result: nil
        )
        let acceptance = try await writer.accept(SeenReply(snapshot, seenAt: ServiceClock().wall, source: .server))
        return if case .applied(let revision) = acceptance { revision.number } else { 0 }
    }

    /// Registers a phone that follows a match, with a token that starts its activities.
    func phone(
        _ number: Int,
        abilities: DeviceAbilities = [.activities, .alerts],
        startToken: Int? = nil
    ) async throws {
        let device = PushStage.device(number)
        _ = try await follow.devices.register(
            NewDevice(
                device: device,
                environment: .sandbox,
                bundleID: DemoSupervisor.bundleID,
                abilities: abilities,
                credentialHash: [UInt8](repeating: 1, count: 32)
            )
        )
        if let startToken {
            _ = try await follow.devices.setToken(
                DeviceTokenRegistration(
                    device: device,
                    kind: .pushToStart,
                    token: PushStage.token(startToken),
                    environment: .sandbox,
                    clientSequence: 1
                )
            )
        }
        _ = try await follow.follows.put(FollowSettings(match: Samples.match), of: device, clientSequence: 1)
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
                device: PushStage.device(number),
                match: Samples.match,
                activityID: ActivityID(unchecked: "\(name)-\(number)"),
                environment: .sandbox,
                route: route ?? .token(PushStage.token(number)),
                startedAt: ServiceClock().wall + (.zero - age),
                startedBy: .push,
                clientSequence: sequence
            )
        )
    }
}
