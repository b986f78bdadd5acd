// `score-lab bench console`: pages of a node with many matches in play and a million tokens.

import ArgumentParser

/// Measures the pages of the console.
struct BenchConsoleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "console",
        abstract: "Measure the overview and a match's page with many matches in play and activities in PostgreSQL."
    )

    @Option(help: "Matches in play.")
    var matches = 500

    @Option(help: "Activities with a token, all of the first match.")
    var tokens = 1_000_000

    @Option(help: "Requests of each page.")
    var requests = 200

    @Flag(help: "Print one JSON object at the end and nothing else.")
    var json = false

    func validate() throws {
        guard (1...LabLimits.readMatches).contains(matches) else {
            throw ValidationError("--matches must be from 1 to \(LabLimits.readMatches).")
        }
        guard (0...LabLimits.benchTokens).contains(tokens) else {
            throw ValidationError("--tokens must be from 0 to \(LabLimits.benchTokens).")
        }
        guard (1...100_000).contains(requests) else { throw ValidationError("--requests must be from 1 to 100000.") }
    }

    func run() async throws {
        let bench = ConsoleBench(matches: matches, tokens: tokens, requests: requests)
        let figures = try await untilSignal { try await bench.run(undoneBy: $0) }
        figures.show(asJSON: json)
    }
}
