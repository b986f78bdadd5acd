// Tests need a true Postgres each time and an empty database every time, without any preparation by hand.

internal import Glibc

/// Fresh databases with the schema, on one throwaway cluster per process.
public enum ScratchDatabase {
    /// Makes a database of its own for the caller; all of them vanish with the process.
    ///
    /// - Throws: `ClusterError` when no PostgreSQL is installed; `MigrationError` when the schema does not load.
    public static func make() async throws -> ConnectionInfo {
        try await scratch.make()
    }

    private static let scratch = Scratch()

    private actor Scratch {
        private var cluster: Task<PrivateCluster, any Error>?
        private var made = 0
        /// How long opening may take, in seconds: a stall of the machine is no fault of what a test looks at.
        private let openingSecondsMax = 60

        func make() async throws -> ConnectionInfo {
            let starting = cluster ?? Task { try await Self.start() }
            cluster = starting
            let info = ConnectionInfo(try await starting.value.connectionText + " connect_timeout=\(openingSecondsMax)")
            made += 1
            let name = "scratch_\(made)"
            let connection = try await Connection.open(
                info.database("postgres"),
                name: "scratch",
                statementTimeout: .seconds(60)
            )
            try await connection.script(embedded: "create database \(name) template score")
            await connection.close()
            return info.database(name)
        }

        private static func start() async throws -> PrivateCluster {
            let random = String(UInt32.random(in: 0 ... .max), radix: 36)
            let cluster = try await PrivateCluster.start(
                directory: "/tmp/score-\(getpid())-\(random)",
                // Many suites share the cluster, each with pools of its own.
                plan: .init(lifetime: .endsWithOwner, durable: false, connectionsMax: 500, isDisposable: true)
            )
            try await Migrations.apply(to: cluster.connectionInfo)
            return cluster
        }
    }
}
