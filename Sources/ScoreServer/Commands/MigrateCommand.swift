// The schema is moved by hand before a release is rolled out, and back when it is taken back.

import ArgumentParser
import Foundation
import Postgres

/// Moves the database to a version of the schema, or says which it has.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the configured database to the schema of this version, or back to an older one.",
        discussion: """
            Steps are numbered files in the binary, applied one by one, each in a transaction, under one lock. \
            A database that was made from other files, or by a newer program, is refused.
            """
    )

    @Flag(help: "Only list the steps; exit 1 when some are not applied.")
    var status = false

    @Option(help: "Undo all steps after this one; what they held is lost. 0 empties the database.")
    var downTo: Int32?

    @Flag(help: "Needed with --down-to.")
    var loseData = false

    @Option(help: "Settings file; the environment wins over it.")
    var env = ".env"

    func validate() throws {
        guard downTo == nil || loseData else {
            throw ValidationError("--down-to drops tables with all that they hold; add --lose-data if you mean it.")
        }
    }

    func run() async throws {
        let settings = try ConfigurationLoader.load(file: env)
        let (database, _) = try await DatabaseChoice.open(settings)
        if let downTo {
            try await Migrations.revert(to: downTo, on: database)
        } else if !status {
            try await Migrations.apply(to: database)
        }
        let steps = try await Migrations.status(of: database)
        for step in steps { print(step) }
        if status, steps.contains(where: { $0.appliedAt == nil }) { throw ExitCode.failure }
    }
}
