// `score-server serve`: one node of the service, until it is told to stop.

import ArgumentParser
import CoreMetrics
import Foundation
import Logging
import Postgres
import ScoreTypes

/// Runs a node.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a node: poll feeds, publish, push, and serve the API."
    )

    @Option(help: "Settings file; the environment wins over it.")
    var env = ".env"

    func run() async throws {
        do { try await serve() } catch let error as CancellationError { throw error } catch {
            FileHandle.standardError.write(Data("score-server: \(error)\n".utf8))
            throw ExitCode.failure
        }
    }

    private func serve() async throws {
        let settings = try ConfigurationLoader.load(file: env)
        let clock = ServiceClock(speed: settings.clockSpeed)
        LoggingSystem.bootstrap(
            LogOutput.factory(
                format: settings.logFormat,
                level: settings.logLevel,
                node: settings.node.text,
                clock: clock
            )
        )
        let metrics = MetricRegistry()
        MetricsSystem.bootstrap(PrometheusMetricsFactory(registry: metrics))
        let logger = Logger(label: "score.server")
        let (database, cluster) = try await DatabaseChoice.open(settings)
        try await Migrations.apply(to: database)
        let factory = NodeFactory(
            settings: settings,
            database: database,
            clock: clock,
            metrics: metrics,
            logger: logger,
            version: ScoreServerCommand.version
        )
        let node = try await factory.make()
        logger.notice(
            "node starts",
            metadata: [
                "node": "\(settings.node)", "public": "\(settings.publicAddress.port)",
                "internal": "\(settings.internalAddress.port)",
            ]
        )
        try await node.run(logger: logger)
        await cluster?.stop()
    }
}

/// The configured database, or a private cluster in the data folder.
enum DatabaseChoice {
    static func open(_ settings: ServerConfiguration) async throws -> (ConnectionInfo, PrivateCluster?) {
        if let url = settings.databaseURL { return (ConnectionInfo(url), nil) }
        let folder = URL(filePath: settings.dataDirectory).appending(path: "postgres").path
        // It outlives a killed server, so that the next one finds its data where it left it.
        let cluster = try await PrivateCluster.start(directory: folder, lifetime: .outlivesOwner, durable: true)
        return (cluster.connectionInfo, cluster)
    }
}
