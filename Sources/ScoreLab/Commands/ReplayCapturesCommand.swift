// `score-lab replay-captures`: what the feeds said, read again by the code of today, without touching anything.

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
            oldest one kept; entries that depend on older ones are skipped and reported on standard error. \
            With --compare it is compared with the journal in the database of --database, for each match between the \
            first and the last entry that the captures gave; exit status 1 means that one of the two has an entry that \
            the other lacks or has with other content, or that there was nothing to compare.
            """
    )

    @Argument(help: "The folder that captures.dir names, or the folder of one feed in it.")
    var directory: String

    @Flag(help: "Print nothing but compare with the journal in the database.")
    var compare = false

    @Option(help: "PostgreSQL as libpq writes it; without it DATABASE_URL, else the private cluster of --data.")
    var database: String?

    @Option(help: "Data folder of a server without DATABASE_URL; without it DATA_DIR, else ./data.")
    var data: String?

    @Option(help: "The server's changes to the moment policy, such as fifty:test=loud; without it MOMENTS_LEVELS.")
    var levels: String?

    func run() async throws {
        var entries: [ReplayedEntry] = []
        let replay = CaptureReplay(options: EngineOptions(moments: try policy())) { AdapterRegistry.adapter(for: $0) }
        do { try replay.play(directory) { entries.append($0) } } catch {
            throw ValidationError("\(error)")
        }
        for skipped in replay.skipped { FileHandle.standardError.write(Data("\(skipped)\n".utf8)) }
        guard compare else {
            for entry in entries { print(entry.line) }
            return
        }
        let (info, cluster) = try await open()
        let pool = Pool(info, size: 1, name: "replay-captures")
        let journal = Journal(pool: pool)
        let comparison = try await CaptureComparison.between(entries) { match, revision in
            try await journal.entries(of: match, after: revision)
        }
        await pool.close()
        await cluster?.stopIfStarted()
        print(comparison.text(skipped: replay.skipped.reduce(0) { $0 + $1.entries }))
        if !comparison.isSame { throw ExitCode.failure }
    }

    /// The policy of the server that took the captures: it decides which moments the journal confirms.
    private func policy() throws -> MomentPolicy {
        let items = Self.value(levels, of: "MOMENTS_LEVELS")?.split(separator: ",") ?? []
        let changes = MomentPolicyChanges(items.map { $0.trimmingCharacters(in: .whitespaces) })
        guard changes.problems.isEmpty else {
            throw ValidationError("--levels: " + changes.problems.joined(separator: "\n"))
        }
        return changes.policy
    }

    private func open() async throws -> (ConnectionInfo, PrivateCluster?) {
        if let url = Self.value(database, of: "DATABASE_URL") { return (ConnectionInfo(url), nil) }
        let folder = URL(filePath: Self.value(data, of: "DATA_DIR") ?? "./data").appending(path: "postgres").path
        let cluster = try await PrivateCluster.start(directory: folder, lifetime: .outlivesOwner, durable: true)
        return (cluster.connectionInfo, cluster)
    }

    /// An option, else a variable of the environment; an empty text counts as not set.
    private static func value(_ option: String?, of variable: String) -> String? {
        (option ?? ProcessInfo.processInfo.environment[variable]).flatMap { $0.isEmpty ? nil : $0 }
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
