// `score-server sweep`: what a scheduler runs; a running node does the work.

import ArgumentParser
import CurlTransfer
import Foundation
import ScoreTypes

extension SweepKind: ExpressibleByArgument {}

/// Requests a sweep from a running node.
struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "Run a sweep for a slot at a running node; a second run of a slot does nothing."
    )

    /// The variable of the environment with the token.
    static let tokenVariable = "SCORE_ADMIN_TOKEN"

    @Option(help: "The kind: \(SweepKind.allCases.map(\.rawValue).joined(separator: ", ")).")
    var kind = SweepKind.staleActivities

    @Option(help: "The time that this run stands for, such as 2026-09-24T10:05Z.")
    var slot: String

    @Option(help: "A scheduler's token; better given as \(SweepCommand.tokenVariable).")
    var token: String?

    @OptionGroup
    var file: SettingsFile

    func run() async throws {
        let settings = try file.load()
        guard let token = token ?? ProcessInfo.processInfo.environment[Self.tokenVariable] else {
            throw ValidationError("Give a scheduler's token in \(Self.tokenVariable); `admin tokens create` makes one.")
        }
        let address = settings.internalAddress
        let driver = TransferDriver(name: "sweep")
        let reply = try await driver.perform(
            Transfer(
                method: "POST",
                url: "http://\(address.host):\(address.port)/internal/v1/sweeps/\(kind.rawValue)",
                headers: [("Authorization", "Bearer \(token)"), ("Content-Type", "application/json")],
                body: JSONWriter.document { $0.field("slot", slot) },
                deadline: .seconds(60),
                security: .local([address.host])
            )
        )
        print(String(decoding: reply.body, as: UTF8.self))
        guard reply.status < 300 else { throw ExitCode.failure }
    }
}
