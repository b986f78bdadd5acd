// `score-server serve`: runs one node of the service until SIGTERM or SIGINT.

import ArgumentParser
import CoreMetrics
import Foundation
import Logging
import Postgres
import ScoreTypes
import ServiceLifecycle
import UnixSignals

/// Runs a node.
struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve",
        abstract: "Run a node: poll feeds, publish, push, and serve the API."
    )

    @Option(help: "Settings file; the environment overrides it.")
    var env = ".env"

    func run() async throws {
        do { try await serve() } catch let error as CancellationError { throw error } catch {
            FileHandle.standardError.write(Data("score-server: \(error)\n".utf8))
            throw ExitCode.failure
        }
    }

    private func serve() async throws {
        let settings = try ConfigurationLoader.load(file: env)
        try settings.checkFiles()
        let clock = ServiceClock(speed: settings.clockSpeed)
        LoggingSystem.bootstrap { label in
            LineLogHandler(
                label: label,
                format: settings.logFormat,
                node: settings.node.text,
                clock: clock,
                // A line that cannot be written is lost; there is no other output.
                write: { line in _ = line.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) } },
                logLevel: settings.logLevel
            )
        }
        let metrics = MetricRegistry()
        MetricsSystem.bootstrap(PrometheusMetricsFactory(registry: metrics))
        let logger = Logger(label: "score.server")
        DescriptorBudget.raiseLimit()
        let database = try await ConfiguredDatabase.open(settings)
        do {
            try await Migrations.apply(to: database.info)
            let services = try await NodeServices(
                settings: settings,
                database: database.info,
                clock: clock,
                metrics: metrics,
                logger: logger
            )
            let node = try Node(services)
            logger.notice(
                "node starts",
                metadata: [
                    "node": "\(settings.node)", "public": "\(settings.publicAddress.port)",
                    "internal": "\(settings.internalAddress.port)",
                ]
            )
            try await node.group(endedBy: [.sigterm, .sigint], logger: logger).run()
        } catch {
            // Without this, a server that cannot start would leave the cluster that it has just started.
            await database.stopIfStarted()
            throw error
        }
        await database.stop()
    }
}
