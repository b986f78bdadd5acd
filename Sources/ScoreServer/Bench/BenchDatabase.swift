// Figures of a database that somebody else uses, or that may forget, say nothing.

import Foundation
import Postgres

/// A private PostgreSQL of the benchmark's own: durable, with the schema, gone afterwards.
struct BenchDatabase: Sendable {
    private let cluster: PrivateCluster

    var info: ConnectionInfo { cluster.connectionInfo }

    static func start() async throws -> BenchDatabase {
        let folder = FileManager.default.temporaryDirectory.appending(path: "score-bench-\(getpid())").path
        let cluster = try await PrivateCluster.start(directory: folder, lifetime: .endsWithOwner, durable: true)
        try await Migrations.apply(to: cluster.connectionInfo)
        return BenchDatabase(cluster: cluster)
    }

    func end() async {
        await cluster.stop()
        try? FileManager.default.removeItem(atPath: cluster.directory)
    }
}
