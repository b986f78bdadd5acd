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

    @OptionGroup
    var file: SettingsFile

    func run() async throws {
        do { try await serve() } catch let error as CancellationError { throw error } catch {
            FileHandle.standardError.write(Data("score-server: \(error)\n".utf8))
            throw ExitCode.failure
        }
    }

    private func serve() async throws {
        let settings = try file.load()
        try settings.checkFiles()
        let clock = ServiceClock(speed: settings.clockSpeed)
        let logs = NodeLogs(levels: LogLevels(base: settings.logLevel, clock: clock))
        let lines = LogQueue(descriptor: STDERR_FILENO)
        LoggingSystem.bootstrap { label in
            LineLogHandler(
                label: label,
                format: settings.logFormat,
                node: settings.node.text,
                clock: clock,
                logs: logs,
                write: { lines.put($0) }
            )
        }
        let outcome: Result<Void, any Error>
        do { outcome = .success(try await run(settings, clock, logs)) } catch { outcome = .failure(error) }
        await lines.finish()
        try outcome.get()
    }

    private func run(_ settings: ServerConfiguration, _ clock: ServiceClock, _ logs: NodeLogs) async throws {
        let metrics = MetricRegistry()
        MetricsSystem.bootstrap(PrometheusMetricsFactory(registry: metrics))
        let logger = Logger(label: "score.server")
        let unknown = EnvironmentNames.unknown().joined(separator: ", ")
        if !unknown.isEmpty { logger.warning("environment.names.unknown", metadata: ["names": "\(unknown)"]) }
        DescriptorBudget.raiseLimit()
        // The memory has the signing key, credentials and tokens.
        if !MemoryDumps.forbid() { logger.warning("memory dumps of the process are not forbidden") }
        let database = try await ConfiguredDatabase.open(settings)
        do {
            try await DatabaseWait(log: logger).run { try await Migrations.apply(to: database.info) }
            let services = try await NodeServices(
                settings: settings,
                database: database.info,
                clock: clock,
                metrics: metrics,
                logger: logger,
                logs: logs
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
