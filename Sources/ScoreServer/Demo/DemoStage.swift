// Everything that stands on the stage of a demo, built in the order in which it is needed.

import CurlTransfer
import Foundation
import HTTP2
import Hummingbird
import Logging
import MatchEngine
import MatchJournal
import Postgres
import ScoreTypes
import Simulators
import Synchronization

/// The parts of a running demo.
struct DemoStage: Sendable {
    let match: MatchID
    let cluster: PrivateCluster
    let journal: Journal
    let pool: Pool
    let apns: APNsSimulator
    let feed: FeedSimulator
    let fleet: PhoneFleet
    let child: ServeChild
    let driver: TransferDriver
    let clock: ServiceClock
    let publicPort: Int
    let internalPort: Int
    private let feedServer: Task<Void, any Error>

    /// Builds the stage; the server is not started yet.
    static func build(_ options: DemoOptions, in folder: DemoFolder) async throws -> DemoStage {
        let clock = ServiceClock(speed: options.speed)
        let (match, played) = try Self.load(options.matchFile)
        let feed = try FeedSimulator(match: match, played: played, clock: clock)
        guard let key = DemoKeyPair() else { throw DemoError.noRandomness }
        let identity = try TLSIdentity.selfSigned(
            commonName: "Simulated APNs",
            addresses: [DemoSupervisor.host]
        )
        try folder.write(key, identity)
        let cluster = try await PrivateCluster.start(
            directory: folder.postgres,
            lifetime: .endsWithOwner,
            durable: true
        )
        let apns = try await Self.apns(key, identity, clock: clock)
        let (feedServer, feedPort) = try await serve(feed)
        let ports = (publicPort: try FreePort.find(), internalPort: try FreePort.find())
        let driver = TransferDriver(name: "phones", bounds: TransferBounds(connectionsPerHost: 48, idleConnections: 64))
        let api = PhoneAPI(host: DemoSupervisor.host, port: ports.publicPort, driver: driver)
        let fleet = fleet(options, match: match, api: api, network: apns, clock: clock)
        let environment = DemoEnvironment(
            folder: folder,
            database: cluster.connectionText,
            speed: options.speed,
            ports: ports,
            feedPort: feedPort,
            apns: apns
        )
        let child = ServeChild(
            executable: URL(filePath: "/proc/self/exe").resolvingSymlinksInPath(),
            arguments: ["serve", "--env", "none"],
            environment: environment.variables,
            log: try folder.openLog()
        )
        let pool = Pool(cluster.connectionInfo, size: 1, name: "demo")
        return DemoStage(
            match: match,
            cluster: cluster,
            journal: Journal(pool: pool),
            pool: pool,
            apns: apns,
            feed: feed,
            fleet: fleet,
            child: child,
            driver: driver,
            clock: clock,
            publicPort: ports.publicPort,
            internalPort: ports.internalPort,
            feedServer: feedServer
        )
    }

    /// The revision of the final publication; nil before there is one.
    func finalRevision() async throws -> Int64? {
        guard let head = try await journal.head(of: match), head.phase == .over else { return nil }
        let rows = try await pool.query(SQL.newest, [.text(match.text)]) { row in try row.int(0) }
        return rows.first
    }

    /// Ends everything, each part once.
    func takeDown() async {
        await child.stop()
        fleet.stop()
        feedServer.cancel()
        await apns.stop()
        driver.stop()
        await pool.close()
        await cluster.stop()
    }

    private static func apns(
        _ key: DemoKeyPair,
        _ identity: TLSIdentity,
        clock: ServiceClock
    ) async throws -> APNsSimulator {
        try await APNsSimulator.start(
            APNsSimulatorConfiguration(
                bundleID: DemoSupervisor.bundleID,
                teamID: DemoEnvironment.teamID,
                keyID: DemoEnvironment.keyID,
                publicKeyPEM: key.publicPEM,
                identity: identity
            ),
            clock: clock
        )
    }

    private static func fleet(
        _ options: DemoOptions,
        match: MatchID,
        api: PhoneAPI,
        network: APNsSimulator,
        clock: ServiceClock
    ) -> PhoneFleet {
        PhoneFleet(
            PhoneFleetConfiguration(
                count: options.followers,
                channelShare: options.channelShare,
                match: match,
                bundleID: DemoSupervisor.bundleID,
                attributesType: DemoSupervisor.attributesType,
                seed: 2026
            ),
            api: api,
            network: network,
            clock: clock
        )
    }

    private static func load(_ path: String?) throws -> (MatchID, PlayedMatch) {
        guard let path else { return (MatchID(unchecked: "demo"), try DemoMatch.load()) }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw FeedMatchError.notReadable(path: path)
        }
        let name = URL(filePath: path).deletingPathExtension().lastPathComponent
        return (MatchID(name) ?? MatchID(unchecked: "match"), PlayedMatch(document: Array(data)))
    }

    private static func serve(_ feed: FeedSimulator) async throws -> (Task<Void, any Error>, Int) {
        let (ports, bound) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let server = Task {
            try await FeedServer.application(feed, host: DemoSupervisor.host, port: 0) { bound.yield($0) }.serve()
        }
        for await port in ports { return (server, port) }
        throw DemoError.noRandomness
    }

    private enum SQL {
        static let newest = Statement("select max(rev) from publication where match_id = $1")
    }
}
