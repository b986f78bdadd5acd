// Tests need a PostgreSQL database with the schema, empty for each test, without manual preparation.

import Glibc
public import Postgres

/// Fresh databases with the schema, on one disposable cluster per process.
public enum ScratchDatabase {
    /// Creates a database; all of them are removed when the process ends.
    ///
    /// - Returns: The connection to the database.
    /// - Throws: `ClusterError` when PostgreSQL is not installed; `MigrationError` when the schema cannot be created.
    public static func make() async throws -> ConnectionInfo {
        try await scratch.make()
    }

    private static let scratch = Scratch()

    private actor Scratch {
        private var cluster: Task<PrivateCluster, any Error>?
        private var made = 0
        /// Longest time to open a connection, in seconds: a stall of the machine must not fail a test.
        private let openingSecondsMax = 60
        /// Free bytes of a file system in memory from which the databases are created there: 177 of them take 1.1 GB.
        private static let memoryBytes: UInt64 = 6 << 30

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
            let cluster = try await PrivateCluster.startDisposable(
                directory: "\(parent())/score-\(getpid())-\(random)",
                // Many suites share the cluster, each with its own pools.
                connectionsMax: 500
            )
            try await Migrations.apply(to: cluster.connectionInfo)
            return cluster
        }

        /// The folder of the cluster: a file system in memory if it has enough free bytes, else one on disk, where
        /// creating the 350 files of a database takes twice as long.
        private static func parent() -> String {
            let (memory, disk) = ("/dev/shm", "/tmp")
            var status = statvfs()
            guard statvfs(memory, &status) == 0, access(memory, W_OK | X_OK) == 0 else { return disk }
            let (free, _) = UInt64(status.f_bavail).multipliedReportingOverflow(by: UInt64(status.f_frsize))
            return free >= memoryBytes ? memory : disk
        }
    }
}
