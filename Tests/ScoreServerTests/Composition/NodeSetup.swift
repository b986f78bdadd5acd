// A database and a simulated APNs for a whole node, with the settings that connect them.

import Foundation
import Postgres
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import ScoreServer

/// The dependencies of a node in a test.
struct NodeSetup {
    let info: ConnectionInfo
    let pool: Pool
    let account: APNsTestAccount
    private let folder: URL

    /// - `clock`: The clock of the simulated APNs.
    init(clock: ServiceClock = ServiceClock()) async throws {
        info = try await ScratchDatabase.make()
        pool = Pool(info, size: 4, name: "setup")
        folder = FileManager.default.temporaryDirectory.appending(path: "node-setup-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        account = try await APNsTestAccount.open(in: folder, clock: clock)
    }

    var apple: APNsSimulator { account.simulator }

    /// The settings of a node, with free ports and no feed.
    func settings(_ name: String, _ extra: [String: String] = [:]) throws -> ScoreServer.ServerConfiguration {
        var variables = account.serverSettings
        variables["DATABASE_URL"] = "postgresql:///unused"
        variables["HTTP_PUBLIC_PORT"] = "0"
        variables["HTTP_INTERNAL_PORT"] = "0"
        variables["NODE_ID"] = name
        variables.merge(extra) { _, new in new }
        return try ConfigurationLoader.load(environment: variables, file: ConfigurationLoader.noFile)
    }

    func stop() async {
        await account.simulator.stop()
        await pool.close()
        try? FileManager.default.removeItem(at: folder)
    }

    func number(_ statement: Statement, _ binds: [Bind] = []) async throws -> Int64 {
        try await pool.query(statement, binds) { try $0.int(0) }.first ?? -1
    }
}
