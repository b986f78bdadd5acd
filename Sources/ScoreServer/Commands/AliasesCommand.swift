// `score-server aliases`: imports a table of provider ids, for a whole league at once.

import ArgumentParser
import Foundation
import Providers
import ScoreIngest

/// Groups the commands for aliases.
struct AliasesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "aliases",
        abstract: "Manage the aliases of matches, teams and players.",
        subcommands: [ImportAliasesCommand.self]
    )
}

/// Stores the aliases of a file in the configured database.
struct ImportAliasesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Store aliases of matches, teams and players from a file: all of them, or none.",
        discussion: """
            One alias a line: kind,provider,provider_id,our_id, such as player,roanuz,c__player__ms_dhoni,dhoni. Kinds \
            are match, team and player. An alias that exists gets the meaning of the file; no alias is removed. \
            Running nodes apply the change at once.
            """
    )

    @Argument(help: "The file, in UTF-8; empty lines and lines that begin with # are skipped.")
    var file: String

    @Flag(help: "Only read the file, and report its errors.")
    var check = false

    @Option(help: "The reason in the audit log.")
    var reason = "imported on the command line"

    @OptionGroup
    var settings: SettingsFile

    func validate() throws { try CommandUser.check(reason: reason) }

    func run() async throws {
        let aliases = try Self.read(file)
        if check { return print("\(file) holds \(aliases.count) aliases.") }
        let settings = try self.settings.load()
        try await ConfiguredDatabase.usePool(settings, name: "import-aliases") { pool in
            let store = PostgresAdminStore(pool: pool)
            var entry = AuditEntry.command(
                AdminRoute.putAliases.action,
                target: "",
                reason: reason,
                user: CommandUser.name,
                detail: .record(["file": .text(file), "count": .whole(aliases.count)])
            )
            // The aliases belong to another target, so that an entry precedes them and one follows.
            entry.outcome = .intended
            _ = try await store.record(entry)
            do { try await AliasRecords(pool: pool).put(aliases) } catch {
                entry.outcome = .failed
                _ = try await store.record(entry)
                throw error
            }
            entry.outcome = .done
            _ = try await store.record(entry)
        }
        print("\(aliases.count) aliases are stored.")
    }

    /// Reads a table of aliases; throws `ValidationError` with all errors of the file.
    static func read(_ path: String) throws -> [Alias] {
        guard let data = FileManager.default.contents(atPath: path), data.count <= ServerLimits.aliasFileBytes else {
            throw ValidationError("Cannot read \(path), or it is larger than \(ServerLimits.aliasFileBytes) bytes.")
        }
        guard let text = String(bytes: data, encoding: .utf8) else { throw ValidationError("\(path) is not UTF-8.") }
        do throws(AliasFile.Mistakes) { return try AliasFile.read(text) } catch {
            throw ValidationError("Nothing of \(path) was stored:\n\(error)")
        }
    }
}
