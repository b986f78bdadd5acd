// `score-server import-aliases`: the ids of a whole league at once, from the table in which somebody keeps them.

import ArgumentParser
import Foundation
import Postgres
import Providers
import ScoreIngest

/// Puts the aliases of a file into the configured database.
struct ImportAliasesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import-aliases",
        abstract: "Put aliases of matches, teams and players from a file: all of them, or none.",
        discussion: """
            One alias a line: kind,provider,provider_id,our_id, such as player,roanuz,c__player__ms_dhoni,dhoni. Kinds \
            are match, team and player. An alias that is there already means from now on what the file says; none is \
            removed. Running nodes take them up at once.
            """
    )

    @Argument(help: "The file, in UTF-8; empty lines and lines that begin with # are left out.")
    var file: String

    @Flag(help: "Only read the file, and say what is wrong with it.")
    var check = false

    @Option(help: "Settings file; the environment wins over it.")
    var env = ".env"

    func run() async throws {
        let aliases = try Self.read(file)
        if check { return print("\(file) holds \(aliases.count) aliases.") }
        let settings = try ConfigurationLoader.load(file: env)
        let (database, _) = try await DatabaseChoice.open(settings)
        try await Migrations.apply(to: database)
        let pool = Pool(database, size: 1, name: "import-aliases")
        do { try await AliasRecords(pool: pool).put(aliases) } catch {
            await pool.close()
            throw CommandFailure(error)
        }
        await pool.close()
        print("\(aliases.count) aliases are put.")
    }

    static func read(_ path: String) throws -> [Alias] {
        guard let data = FileManager.default.contents(atPath: path), data.count <= AliasFile.bytesMax else {
            throw ValidationError("Cannot read \(path), or it is larger than \(AliasFile.bytesMax) bytes.")
        }
        guard let text = String(bytes: data, encoding: .utf8) else { throw ValidationError("\(path) is not UTF-8.") }
        do throws(AliasFile.Mistakes) { return try AliasFile.read(text) } catch {
            throw ValidationError("Nothing of \(path) was put:\n\(error)")
        }
    }
}
