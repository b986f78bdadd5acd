// A benchmark needs a durable database of its own.

import ArgumentParser
import Foundation
import Postgres
import ScoreTypes

/// A private PostgreSQL of a benchmark: durable, with the schema.
enum BenchDatabase {
    /// The node that the benchmarks write as; its term outlasts every run.
    static let fence = Fence(node: NodeID(unchecked: "bench"), term: Term(1))

    /// Starts the database in a folder of its own.
    static func start(undoneBy teardown: Teardown) async throws -> ConnectionInfo {
        let folder = FileManager.default.temporaryDirectory.appending(path: "score-bench-\(getpid())")
        teardown.add { try? FileManager.default.removeItem(at: folder) }
        let cluster = try await PrivateCluster.start(directory: folder.path, lifetime: .endsWithOwner, durable: true)
        teardown.add { await cluster.stop() }
        try await prepare(cluster.connectionInfo)
        return cluster.connectionInfo
    }

    /// Makes the schema, and enters the node of the benchmarks.
    static func prepare(_ database: ConnectionInfo) async throws {
        try await Migrations.apply(to: database)
        let owner = try await Connection.open(database, name: "bench")
        try await owner.script(
            "insert into node (node_id, term, expires_at) values ('bench', 1, now() + interval '1 day')"
        )
        await owner.close()
    }

    /// Removes the node of the benchmarks, whose term a real node would get.
    static func leave(_ database: ConnectionInfo) async throws {
        let owner = try await Connection.open(database, name: "bench")
        try await owner.script("delete from node where node_id = 'bench'")
        await owner.close()
    }
}

extension AsyncParsableCommand {
    /// Measures on a database that is started for it; the database ends with the measurement, and when a signal comes.
    func onOwnDatabase<Figures: Report & Sendable>(
        _ measure: @escaping @Sendable (ConnectionInfo) async throws -> Figures
    ) async throws -> Figures {
        try await untilSignal { try await measure(BenchDatabase.start(undoneBy: $0)) }
    }
}
