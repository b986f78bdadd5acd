// The public API with the follow store and its own database, wired as in a node.

import LiveActivities
import Logging
import MatchJournal
import MatchSamples
import Postgres
import Providers
import ScoreTypes
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

@testable import FollowService
@testable import ScoreServer

/// The parts of the server that a test can inspect.
struct StoredDependencies: Sendable {
    let client: WireClient
    let pool: Pool
    let matches: MatchCache
    let activities: Activities
    let channels: ChannelRecords
    /// The devices on which an activity would be started now.
    let starts: StartCandidates
    /// The activities that would be ended by a push.
    let ended: Ended
    /// The revisions that phones report.
    let receipts: ReceiptMonitor

    final class Ended: Sendable {
        private let list = Mutex<[EndingActivity]>([])
        var all: [EndingActivity] { list.withLock { $0 } }
        func add(_ more: [EndingActivity]) { list.withLock { $0 += more } }
    }

    /// Registers a phone; returns the headers with its credential.
    func register(_ body: String = Samples.registration, key: String = "0123456789abcdef") async throws -> [String:
        String]
    {
        let answer = try await client.send("POST", "/v1/devices", ["Idempotency-Key": key], json: body)
        #expect(answer.status == 201)
        return ["Authorization": "Bearer \(try #require(answer.json["credential"]?.string))"]
    }

    /// The number of followers whose activities would be started now.
    func startCount() async throws -> Int {
        let (first, last) = (try #require(Bucket(0)), try #require(Bucket(Bucket.count - 1)))
        return try await starts.page(
            of: Samples.match,
            buckets: first...last,
            scope: .neutrals,
            since: ServiceClock().wall,
            limit: 10
        ).members.count
    }
}

/// Runs the public listener with the real store during the body.
func withStore(
    on info: ConnectionInfo? = nil,
    limits: RateLimits = RateLimits(),
    served: ServedApp = ServedApp(environments: Set(PushEnvironment.allCases), bundleID: nil),
    _ body: @Sendable (StoredDependencies) async throws -> Void
) async throws {
    let database = if let info { info } else { try await ScratchDatabase.make() }
    let pool = Pool(database, size: 6, name: "joined", bounds: .init(waitMax: .milliseconds(500)))
    let clock = ServiceClock()
    let (activities, channels) = (
        Activities(pool: pool, clock: clock), ChannelRecords(pool: pool, clock: clock)
    )
    let (ended, receipts) = (StoredDependencies.Ended(), ReceiptMonitor(clock: clock))
    let matches = try MatchCache.withOneCachedAndOneStored()
    let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let listener = HTTPServers.buildPublicApplication(
        PublicDependencies(
            matches: matches,
            devices: Devices(pool: pool, clock: clock),
            follows: Follows(pool: pool, clock: clock),
            activities: activities,
            channels: channels,
            receipts: receipts,
            attributesType: "LiveActivityAttributes",
            served: served,
            endActivities: { ended.add($0) },
            notices: StubNotices(),
            hub: StreamHub(caps: StreamCaps(), timing: StreamTiming(), clock: clock)
        ),
        address: ListenAddress(host: "127.0.0.1", port: 0),
        limits: limits,
        // A test names the address of a client, as a proxy would.
        trustedProxies: [AddressBlock("127.0.0.1")].compactMap { $0 },
        deadlines: RequestDeadlines(),
        node: NodeID(unchecked: "test-node"),
        clock: clock,
        logger: logger
    )
    let group = ServiceGroup(services: [listener], logger: logger)
    try await withThrowingTaskGroup(of: Void.self) { tasks in
        tasks.addTask { try await group.run() }
        let stores = StoredDependencies(
            client: WireClient(port: try await listener.port()),
            pool: pool,
            matches: matches,
            activities: activities,
            channels: channels,
            starts: StartCandidates(pool: pool, clock: clock),
            ended: ended,
            receipts: receipts
        )
        let result: Result<Void, any Error>
        do { result = .success(try await body(stores)) } catch { result = .failure(error) }
        await group.triggerGracefulShutdown()
        try await tasks.waitForAll()
        await pool.close()
        try result.get()
    }
}

extension MatchCache {
    fileprivate static func withOneCachedAndOneStored() throws -> MatchCache {
        let old = Samples.finished
        let matches = MatchCache(
            load: { $0 == old ? try Samples.view(9, result: Samples.won, match: old) : nil },
            changes: { _, _, _ in try unexpected("changes") }
        )
        matches.put(try Samples.view(7))
        return matches
    }
}
