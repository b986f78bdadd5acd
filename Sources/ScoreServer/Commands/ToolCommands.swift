// Small tools for operators: each does one thing and ends.

import ArgumentParser
import CurlTransfer
import Foundation
import Postgres
import ScoreTypes

/// Checks the settings and says everything that is wrong with them.
struct CheckConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check-config",
        abstract: "Check the settings without starting anything; exit 1 when a server could not start."
    )

    @Option(help: "Settings file; the environment wins over it.")
    var env = ".env"

    func run() throws {
        do {
            let settings = try ConfigurationLoader.load(file: env)
            print("The settings of \(settings.node) are complete.")
        } catch {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            throw ExitCode.failure
        }
    }
}

/// Makes a token for operators, schedulers or scrapers.
struct AdminTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin-token",
        abstract: "Make a bearer token for the internal listener; it is printed once and stored hashed."
    )

    @Option(help: "Who will use it, for the audit.")
    var name: String

    @Option(help: "viewer, operator, admin, scheduler or metrics.")
    var role: String

    @Option(help: "Settings file; the environment wins over it.")
    var env = ".env"

    func run() async throws {
        guard let role = AdminRole(rawValue: role) else {
            let words = AdminRole.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--role must be one of \(words).")
        }
        let settings = try ConfigurationLoader.load(file: env)
        let (database, _) = try await DatabaseChoice.open(settings)
        try await Migrations.apply(to: database)
        let pool = Pool(database, size: 1, name: "admin-token")
        let credential = try await PostgresAdminStore(pool: pool).makeToken(name: name, role: role, expiresAt: nil)
        print(credential.text)
        await pool.close()
    }
}

/// Asks a running node to sweep, as a scheduler would.
struct SweepCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sweep",
        abstract: "End activities that have been silent for 30 minutes; the same slot twice does nothing."
    )

    @Option(help: "The time that this run stands for, such as 2026-09-24T10:05Z.")
    var slot: String

    @Option(help: "A scheduler's token; better given as SCORE_ADMIN_TOKEN.")
    var token: String?

    @Option(help: "Settings file; the environment wins over it.")
    var env = ".env"

    func run() async throws {
        let settings = try ConfigurationLoader.load(file: env)
        guard let token = token ?? ProcessInfo.processInfo.environment["SCORE_ADMIN_TOKEN"] else {
            throw ValidationError("Give a scheduler's token in SCORE_ADMIN_TOKEN; `admin-token` makes one.")
        }
        let address = settings.internalAddress
        let driver = TransferDriver(name: "sweep")
        let reply = try await driver.perform(
            Transfer(
                method: "POST",
                url: "http://\(address.host):\(address.port)/internal/v1/sweeps/stale-activities",
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
