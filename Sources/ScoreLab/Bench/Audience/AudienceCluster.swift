// The size of an audience shows after a restart and after a crash, so that the benchmark owns its server's processes.

import Foundation
import Postgres
import ScoreTypes

/// A private, durable PostgreSQL that can be restarted and killed.
actor AudienceCluster {
    private let folder: String
    private var cluster: PrivateCluster

    /// Where the database is reached, also after a restart.
    nonisolated let info: ConnectionInfo

    /// Starts the database in a folder of its own, with the schema.
    init(undoneBy teardown: Teardown) async throws {
        let folder = try RunFolder.make()
        teardown.add { folder.remove() }
        self.folder = folder.postgres
        cluster = try await Self.start(folder.postgres)
        info = cluster.connectionInfo
        teardown.add { await self.stop() }
        try await BenchDatabase.prepare(info)
    }

    /// Stops the server.
    func stop() async { await cluster.stop() }

    /// Stops the server in order and starts it again; the time until it accepts connections.
    func restart() async throws -> Duration {
        let start = ContinuousClock.now
        await cluster.stop()
        cluster = try await Self.start(folder)
        return ContinuousClock.now - start
    }

    /// Kills all processes of the server and starts it again; the time until it accepts connections.
    func crash() async throws -> Duration {
        let first = FileManager.default.contents(atPath: folder + "/data/postmaster.pid")
            .map { String(decoding: $0, as: UTF8.self) }?.split(separator: "\n").first
        guard let first, let server = Int32(first) else { throw MeasurementFailure("the server has no process file") }
        let children =
            FileManager.default.contents(atPath: "/proc/\(server)/task/\(server)/children")
            .map { String(decoding: $0, as: UTF8.self) }?.split(separator: " ").compactMap { Int32($0) } ?? []
        let start = ContinuousClock.now
        for process in [server] + children { kill(process, SIGKILL) }
        await cluster.stop()
        cluster = try await Self.start(folder)
        return ContinuousClock.now - start
    }

    private static func start(_ folder: String) async throws -> PrivateCluster {
        try await PrivateCluster.start(directory: folder, lifetime: .endsWithOwner, durable: true)
    }
}
