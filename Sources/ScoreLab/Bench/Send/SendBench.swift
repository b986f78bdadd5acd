// A comparison of APNs senders needs the dispatcher as a command: one push to each token of a file.

import ArgumentParser
import Foundation
import Logging
import PushDispatcher
import ScoreTypes

/// `score-lab bench send`: sends pushes to a simulated APNs and waits for all final answers.
struct SendBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "send",
        abstract: "Send one push to each token of a file through the whole dispatcher, to compare senders.",
        discussion: "make compare-senders runs it with score-lab simulate-apns; docs/simulate-apns.md has the results."
    )

    enum Kind: String, ExpressibleByArgument, CaseIterable { case update, notification }

    @Option(help: "A file with one token in hex on each line.")
    var tokens: String

    @Option(help: "update (a Live Activity, by the fan-out) or notification.")
    var kind = Kind.update

    @Option(help: "The address of the APNs simulator.")
    var address = "127.0.0.1"

    @Option(help: "The port of pushes.")
    var port: Int

    @Option(help: "The certificate that it is trusted by, PEM.")
    var authority: String

    @Option(help: "The signing key, PEM.")
    var key: String

    @Option(help: "The app's bundle id.")
    var bundleId = "com.example.app"

    @Option(help: "The team's ten characters.")
    var teamId = "TEAMTEAM01"

    @Option(help: "The signing key's ten characters.")
    var keyId = "KEYKEYKEY1"

    @Option(help: "Seconds after which it ends although answers are missing.")
    var seconds = 120

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func validate() throws {
        guard (1...65_535).contains(port) else { throw ValidationError("--port must be from 1 to 65535.") }
        guard (1...3_600).contains(seconds) else { throw ValidationError("--seconds must be from 1 to 3600.") }
    }

    func run() async throws {
        LoggingSystem.bootstrap { _ in SwiftLogNoOpLogHandler() }
        let server = DispatcherConfiguration.Endpoint(host: address, port: UInt16(clamping: port))
        let configuration = DispatcherConfiguration(
            bundleID: bundleId,
            teamID: teamId,
            keyID: keyId,
            signingKey: try SigningKey(contentsOfFile: key),
            environments: [SendRun.environment: DispatcherConfiguration.Endpoints(push: server, management: server)],
            authorities: Array(try Data(contentsOf: URL(filePath: authority)))
        )
        let run = try await SendRun(configuration, tokens: try readTokens())
        let figures = await run.send(kind, within: .seconds(seconds))
        figures.show(asJSON: json)
    }

    private func readTokens() throws -> [PushToken] {
        let text = try String(contentsOf: URL(filePath: tokens), encoding: .utf8)
        let lines = text.split(whereSeparator: \.isNewline)
        guard (1...LabLimits.sentTokens).contains(lines.count) else {
            throw ValidationError("--tokens: expected 1 to \(LabLimits.sentTokens) lines in \(tokens).")
        }
        return try lines.enumerated().map { number, line in
            guard let token = PushToken(hex: line) else {
                throw ValidationError("--tokens: expected an even number of hex digits on line \(number + 1).")
            }
            return token
        }
    }
}
