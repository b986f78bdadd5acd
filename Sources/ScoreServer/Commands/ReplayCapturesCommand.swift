// `score-server replay-captures`: what the feeds said, read again by the code of today, without touching anything.

import ArgumentParser
import Foundation
import MatchEngine
import MatchJournal
import Postgres
import Providers
import ScoreIngest
import ScoreTypes

/// Rebuilds the journal of captured matches.
struct ReplayCapturesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "replay-captures",
        abstract: "Rebuild the journal of captured replies: one line of JSON for each entry.",
        discussion: """
            Captures hold the last replies of each feed as they came, so the journal that they give begins with the \
            oldest one kept; what cannot be understood without older ones is skipped and told on standard error. \
            With --compare the journal in the configured database is held against it, for each match between the first \
            and the last entry that the captures gave; exit status 1 means that one of the two has an entry that the \
            other has not or has otherwise, or that there was nothing to compare.
            """
    )

    @Argument(help: "The folder that captures.dir names, or the folder of one feed in it.")
    var directory: String

    @Flag(help: "Print nothing but compare with the journal in the configured database.")
    var compare = false

    @Option(help: "Settings file; the environment wins over it.")
    var env = ".env"

    func run() async throws {
        let settings = try ConfigurationLoader.load(file: env)
        var entries: [ReplayedEntry] = []
        let replay = CaptureReplay(options: settings.engine) { AdapterRegistry.adapter(for: $0) }
        do { try replay.play(directory) { entries.append($0) } } catch {
            throw ValidationError("\(error)")
        }
        for skipped in replay.skipped { FileHandle.standardError.write(Data("\(skipped)\n".utf8)) }
        guard compare else {
            for entry in entries { print(entry.line) }
            return
        }
        let (database, _) = try await DatabaseChoice.open(settings)
        let pool = Pool(database, size: 1, name: "replay-captures")
        let journal = Journal(pool: pool)
        let comparison = try await CaptureComparison.between(entries) { match, revision in
            try await journal.entries(of: match, after: revision)
        }
        await pool.close()
        print(comparison.text(skipped: replay.skipped.reduce(0) { $0 + $1.entries }))
        if !comparison.isSame { throw ExitCode.failure }
    }
}

extension ReplayedEntry {
    /// The entry as one line of JSON.
    var line: String {
        let bytes = JSONWriter.document { json in
            json.field("match", match.text)
            json.field("rev", revision)
            json.field("provider", source.provider)
            json.field("feed", source.feed)
            json.key("change")
            json.raw(body)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
