// Two real servers, one database, one simulated Apple and very many phones: what is needed to see a node die.

import CurlTransfer
import FollowService
import Foundation
import HTTP2
import Postgres
import ScoreTypes
import Simulators

/// The parts of a rehearsal.
struct CrashStage: Sendable {
    /// Connections of one node to Apple; each has so many requests in the air as Apple allows.
    static let connections = 2
    /// Pacing of publications is ten seconds of the match, which nobody has to wait for here.
    static let speed = 10
    /// Registrations under way at once while the phones come in.
    private static let callers = 12_000

    let cluster: PrivateCluster
    let pool: Pool
    let apns: APNsSimulator
    let ledger: CrashLedger
    let nodes: [CrashNode]
    let driver: TransferDriver

    /// Starts everything but the nodes, and registers the phones.
    static func build(activities count: Int, in folder: DemoFolder) async throws -> CrashStage {
        guard let key = DemoKeyPair() else { throw DemoError.noRandomness }
        let identity = try TLSIdentity.selfSigned(commonName: "Simulated APNs", addresses: [DemoSupervisor.host])
        try folder.write(key, identity)
        let cluster = try await PrivateCluster.start(
            directory: folder.postgres,
            lifetime: .endsWithOwner,
            durable: true
        )
        try await Migrations.apply(to: cluster.connectionInfo)
        let apns = try await APNsSimulator.start(
            APNsSimulatorConfiguration(
                bundleID: DemoSupervisor.bundleID,
                teamID: DemoEnvironment.teamID,
                keyID: DemoEnvironment.keyID,
                publicKeyPEM: key.publicPEM,
                identity: identity
            )
        )
        let pool = Pool(cluster.connectionInfo, size: 8, name: "rehearsal")
        let ledger = CrashLedger(phones: count)
        let log = try folder.openLog()
        let nodes = try ["node-a", "node-b"].map { name in
            let ports = (publicPort: try FreePort.find(), internalPort: try FreePort.find())
            var variables = DemoEnvironment(
                folder: folder,
                database: cluster.connectionText,
                speed: speed,
                ports: ports,
                feedPort: 0,
                apns: apns
            ).variables
            variables["FEED_URL"] = nil
            variables["FEED_PLAIN_HTTP_HOSTS"] = nil
            variables["NODE_ID"] = name
            variables["APNS_ENVIRONMENT"] = PushEnvironment.production.rawValue
            variables["APNS_CONNECTIONS"] = "\(connections)"
            return CrashNode(
                name: NodeID(unchecked: name),
                internalPort: ports.internalPort,
                environment: variables,
                log: log
            )
        }
        let stage = CrashStage(
            cluster: cluster,
            pool: pool,
            apns: apns,
            ledger: ledger,
            nodes: nodes,
            driver: TransferDriver(name: "rehearsal")
        )
        try await stage.register(count)
        return stage
    }

    /// Ends everything, each part once.
    func takeDown() async {
        for node in nodes { await node.stop() }
        await apns.stop()
        driver.stop()
        await pool.close()
        await cluster.stop()
    }

    private func register(_ count: Int) async throws {
        let clock = ServiceClock()
        let followers = BenchFollowers(series: 9, startedAt: clock.wall)
        let calls = (0..<count).map { number in
            let phone = followers.registration(number, round: 1)
            return ActivityRegistration(
                device: phone.device,
                match: CrashMatch.match,
                activityID: phone.activityID,
                environment: phone.environment,
                route: phone.route,
                startedAt: phone.startedAt,
                clientSequence: phone.clientSequence
            )
        }
        for (number, call) in calls.enumerated() {
            guard case .token(let token) = call.route else { continue }
            apns.register(token: token, kind: .activity) { [ledger] push in
                guard let revision = push.revision else { return }
                ledger.deliver(revision, timestamp: push.timestamp, to: number)
            }
        }
        let load = RegistrationLoad(
            activities: FollowService.Activities(pool: pool, clock: clock),
            followers: followers
        )
        _ = try await load.registerAll(calls, callers: Self.callers)
    }
}
