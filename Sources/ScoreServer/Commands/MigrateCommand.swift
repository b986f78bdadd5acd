// Operators migrate the schema before they roll a release out, and back when they withdraw it.

import ArgumentParser
import Foundation
import Postgres

/// Migrates the database to a version of the schema, or lists the applied migrations.
struct MigrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Migrate the configured database to the schema of this version, or back to an older one.",
        discussion: """
            Migrations are numbered files in the binary; each is applied in a transaction, under one lock. \
            A database that was created from other files, or by a newer program, is refused.
            """
    )

    @Flag(help: "Only list the migrations; exit 1 when some are not applied.")
    var status = false

    @Option(help: "Undo all migrations after this one; their data is lost. 0 empties the database.")
    var downTo: Int32?

    @Flag(help: "Needed with --down-to.")
    var loseData = false

    @OptionGroup
    var file: SettingsFile

    func validate() throws {
        guard downTo == nil || loseData else {
            throw ValidationError("--down-to drops tables with all their rows; add --lose-data if you mean it.")
        }
    }

    func run() async throws {
        let settings = try file.load()
        let migrations = try await ConfiguredDatabase.use(settings) { database in
            if let downTo {
                try await Migrations.revert(to: downTo, on: database)
            } else if !status {
                try await Migrations.apply(to: database)
            }
            return try await Migrations.status(of: database)
        }
        for migration in migrations { print(migration) }
        if status, migrations.contains(where: { $0.appliedAt == nil }) { throw ExitCode.failure }
    }
}
