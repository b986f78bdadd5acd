// `score-server replay-captures`: what the feeds said, read again by the code of today, without touching anything.

import ArgumentParser
import Foundation
import MatchEngine
import Postgres
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
            With --compare the entries are held against the journal in the configured database, and exit status 1 \
            means that they differ.
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
        let replay = CaptureReplay(options: settings.engine) { FeedAdapters.adapter(for: $0) }
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
        let differences = try await CaptureComparison(journal: Journal(pool: pool)).differences(entries)
        await pool.close()
        for difference in differences { print(difference) }
        print("\(entries.count) entries replayed, \(differences.count) differ from the journal")
        if !differences.isEmpty { throw ExitCode.failure }
    }
}

/// Holds replayed entries against the stored journal.
struct CaptureComparison {
    /// Most differences that are told of one match: the first says what went wrong, the rest follow from it.
    private static let toldMax = 5

    let journal: Journal

    /// One line for each entry that is stored otherwise, or not at all.
    func differences(_ entries: [ReplayedEntry]) async throws -> [String] {
        var found: [String] = []
        for (match, mine) in Dictionary(grouping: entries, by: \.match).sorted(by: { $0.key < $1.key }) {
            var stored: [Int64: JournalEntry] = [:]
            var last: Int64 = 0
            while true {
                let page = try await journal.entries(of: match, after: last)
                guard let newest = page.last else { break }
                for entry in page { stored[entry.revision] = entry }
                last = newest.revision
            }
            let wrong = mine.filter { stored[$0.revision]?.change != $0.change }
            found += wrong.prefix(Self.toldMax).map { "\(match) revision \($0.revision): replayed \($0.line)" }
        }
        return found
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
