// The demo and the crash test run real servers against the same parts: a folder, PostgreSQL and a simulated APNs.

import CurlTransfer
import Foundation
import Hummingbird
import Postgres
import ScoreTypes
import Simulators

/// The parts that servers on this machine need.
struct Testbed: Sendable {
    static let host = APNsTestAccount.host

    let folder: RunFolder
    let cluster: PrivateCluster
    let pool: Pool
    let account: APNsTestAccount
    let driver: TransferDriver
    private let log: FileHandle
    private let teardown: Teardown

    var apns: APNsSimulator { account.simulator }

    /// Starts all parts but the servers.
    ///
    /// - `clock`: Measures the age of provider tokens and the times of pushes.
    /// - `connections`: Connections of the pool.
    /// - `bounds`: How much the HTTP client carries at once.
    /// - `isDurable`: Whether the database survives a crash of the machine, as in production.
    static func build(
        clock: ServiceClock = ServiceClock(),
        connections: Int = 1,
        bounds: TransferBounds = TransferBounds(),
        isDurable: Bool = true,
        keepsFolder: Bool,
        say: @escaping @Sendable (String) -> Void,
        undoneBy teardown: Teardown
    ) async throws -> Testbed {
        let folder = try RunFolder.make()
        teardown.add { if keepsFolder { say("Kept \(folder.url.path)") } else { folder.remove() } }
        let log = try folder.openLog()
        let cluster = try await PrivateCluster.start(
            directory: folder.postgres,
            lifetime: .endsWithOwner,
            durable: isDurable
        )
        teardown.add { await cluster.stop() }
        let account = try await APNsTestAccount.open(in: folder.url, clock: clock, isRateLimited: true)
        teardown.add { await account.simulator.stop() }
        let pool = Pool(cluster.connectionInfo, size: connections, name: "lab")
        teardown.add { await pool.close() }
        let driver = TransferDriver(name: "lab", bounds: bounds)
        teardown.add { driver.stop() }
        try Task.checkCancellation()
        return Testbed(
            folder: folder,
            cluster: cluster,
            pool: pool,
            account: account,
            driver: driver,
            log: log,
            teardown: teardown
        )
    }

    /// Prepares a server that uses these parts, with settings that override theirs; it does not run yet.
    ///
    /// With `core` it runs on this core alone.
    func server(
        _ name: String,
        speed: Int,
        core: Int? = nil,
        settings: [String: String]
    ) throws(LabError) -> ServeProcess {
        let ports = (publicPort: try FreePort.find(), internalPort: try FreePort.find())
        var variables = [
            "DATABASE_URL": cluster.connectionText,
            "NODE_ID": name,
            "CLOCK_SPEED": "\(speed)",
            "HTTP_PUBLIC_PORT": "\(ports.publicPort)",
            "HTTP_INTERNAL_PORT": "\(ports.internalPort)",
            "LOG_FORMAT": "text",
        ]
        let limits = [
            "READ", "READ_ADDRESS", "WRITE", "TOKENS", "ACTIVITIES", "REGISTER", "REGISTER_ATTEMPT", "REGISTER_DAILY",
            "REGISTER_ALL", "STREAM_OPEN", "STREAM_OPEN_ADDRESS", "STREAM_OPEN_ALL",
        ]
        for limit in limits { variables["LIMITS_\(limit)"] = LabLimits.requestsOfPhones }
        // Of our own environment only what a program needs to run.
        let own = ProcessInfo.processInfo.environment
        for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] { variables[name] = own[name] }
        let server = ServeProcess(
            name: NodeID(unchecked: name),
            ports: ports,
            executable: try ServerExecutable.locate(),
            core: core,
            environment: variables.merging(account.serverSettings) { $1 }.merging(settings) { $1 },
            log: log
        )
        teardown.add { await server.stop() }
        return server
    }

    /// Serves a feed until the end of the test bed; returns its port.
    func serve(_ feed: SimulatedFeed) async throws -> Int {
        let (ports, bound) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
        let server = Task {
            defer { bound.finish() }
            try await SimulatedFeedServer.application(feed, host: Self.host, port: 0) { bound.yield($0) }.serve()
        }
        teardown.add { server.cancel() }
        for await port in ports { return port }
        try Task.checkCancellation()
        throw LabError.noFeed
    }

    /// Whether a server answers that it is ready.
    func isReady(_ server: ServeProcess) async -> Bool {
        await isFound("http://\(Self.host):\(server.internalPort)/readyz")
    }

    /// Whether a URL of a server is answered with status 200.
    func isFound(_ url: String) async -> Bool {
        (try? await driver.perform(Transfer(url: url, security: .local([Self.host]))))?.status == 200
    }
}
