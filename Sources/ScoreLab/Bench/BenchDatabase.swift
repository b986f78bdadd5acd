// Figures of a database that somebody else uses, or that may forget, say nothing.

import Foundation
import Postgres
import ScoreTypes

/// A private PostgreSQL of the benchmark's own: durable, with the schema, gone afterwards.
struct BenchDatabase: Sendable {
    /// What a node of the benches writes under; its term outlasts every run.
    static let fence = Fence(node: NodeID(unchecked: "bench"), term: Term(1))

    private let cluster: PrivateCluster

    var info: ConnectionInfo { cluster.connectionInfo }

    static func start() async throws -> BenchDatabase {
        let folder = FileManager.default.temporaryDirectory.appending(path: "score-bench-\(getpid())").path
        let cluster = try await PrivateCluster.start(directory: folder, lifetime: .endsWithOwner, durable: true)
        try await Migrations.apply(to: cluster.connectionInfo)
        let owner = try await Connection.open(cluster.connectionInfo, name: "bench")
        try await owner.script(
            "insert into node (node_id, term, expires_at) values ('bench', 1, now() + interval '1 day')"
        )
        await owner.close()
        return BenchDatabase(cluster: cluster)
    }

    func end() async {
        await cluster.stop()
        try? FileManager.default.removeItem(atPath: cluster.directory)
    }
}
