// `score-lab verify-client`: the client library and the server agree in the end, whatever the network does.

import ArgumentParser
import Logging
import ScoreTypes

/// Plays random histories of the client library against a real server.
struct VerifyClientCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify-client",
        abstract: "Play random histories of apps against a server; exit 1 if one ends with a choice before the last.",
        discussion: """
            Each app runs the state of the library ScoreClient with a virtual clock and sends its requests over HTTP. \
            Answers are lost, requests are late, repeated and reordered, apps end and start again, networks are off. \
            A history that ends wrongly is printed with its events; --seed and --histories 1 repeat it.
            """
    )

    @Option(help: "Histories, each with its own seed.")
    var histories = 10_000

    @Option(help: "The first seed; a random one when absent.")
    var seed: UInt64?

    @Flag(help: "Keep the folder with the server's log.")
    var keep = false

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func validate() throws {
        guard (1...LabLimits.histories).contains(histories) else {
            throw ValidationError("--histories must be from 1 to \(LabLimits.histories).")
        }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let report = try await untilSignal { try await self.report(undoneBy: $0) }
        report.show(asJSON: json)
        if report.failed > 0 { throw ExitCode.failure }
    }

    private func report(undoneBy teardown: Teardown) async throws -> ClientHistoriesReport {
        let server = try await ClientHistoriesRun.startServer(keepsFolder: keep, say: { print($0) }, undoneBy: teardown)
        let first = seed ?? UInt64.random(in: 0...UInt64(Int64.max))
        if !json { print("first seed: \(first)") }
        return try await ClientHistoriesRun(port: server.publicPort).run(histories, from: first) { [json] outcome in
            if !json, !outcome.differences.isEmpty { print(ClientHistoriesReport.text(of: outcome)) }
        }
    }
}
