// Commands share one rule for the database: the configured one, or a private cluster in the data folder.

import Foundation
import Postgres

/// The database of the settings.
struct ConfiguredDatabase: Sendable {
    let info: ConnectionInfo
    /// nil when the settings name a database.
    private let cluster: PrivateCluster?

    /// Finds the database, and starts the private cluster when the settings name none and it does not run.
    ///
    /// The cluster survives a server that is killed, so that the next server finds its data at once.
    static func open(_ settings: ServerConfiguration) async throws(ClusterError) -> ConfiguredDatabase {
        if let url = settings.databaseURL { return ConfiguredDatabase(info: ConnectionInfo(url), cluster: nil) }
        let folder = URL(filePath: settings.dataDirectory).appending(path: "postgres").path
        let cluster = try await PrivateCluster.start(directory: folder, lifetime: .outlivesOwner, durable: true)
        return ConfiguredDatabase(info: cluster.connectionInfo, cluster: cluster)
    }

    /// Opens the database for a command that ends with its work.
    static func use<Result: Sendable>(
        _ settings: ServerConfiguration,
        _ work: (ConnectionInfo) async throws -> Result
    ) async throws -> Result {
        let database = try await open(settings)
        do {
            let result = try await work(database.info)
            await database.stopIfStarted()
            return result
        } catch {
            await database.stopIfStarted()
            throw error
        }
    }

    /// Opens the migrated database with one connection, for a command that ends with its work.
    static func usePool<Result: Sendable>(
        _ settings: ServerConfiguration,
        name: String,
        _ work: (Pool) async throws -> Result
    ) async throws -> Result {
        try await use(settings) { info in
            try await Migrations.apply(to: info)
            let pool = Pool(info, size: 1, name: name)
            let result = try await work(pool)
            await pool.close()
            return result
        }
    }

    /// Stops the private cluster.
    func stop() async { await cluster?.stop() }

    /// Stops the private cluster, unless it ran already: then another process may use it.
    func stopIfStarted() async { await cluster?.stopIfStarted() }
}
