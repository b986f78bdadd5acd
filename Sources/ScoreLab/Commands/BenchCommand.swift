// `score-lab bench`: the figures that the design promises, measured on this machine.

import ArgumentParser
import ScoreTypes

/// The group of benchmarks.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure parts of the service on this machine, each with its own database.",
        subcommands: [
            BenchRegistrationsCommand.self, BenchArenaCommand.self, BenchFanoutCommand.self, BenchIngestCommand.self,
        ]
    )
}

/// Measures how many phones can register.
struct BenchRegistrationsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registrations",
        abstract: "Register phones and rotate their tokens through the store's lanes, on a private, durable PostgreSQL."
    )

    @Option(help: "Phones that register, then rotate.")
    var rows = 1_000_000

    @Option(help: "Calls under way at once.")
    var callers = 8_000

    @Option(help: "Seconds for which single registrations are timed at 5,000 a second.")
    var singleSeconds = 10

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func run() async throws {
        let bench = RegistrationBench(rows: rows, callers: callers, singleSeconds: singleSeconds)
        let figures = try await untilSignal { try await bench.run(on: BenchDatabase.start(undoneBy: $0)) }
        figures.show(asJSON: json)
    }
}

/// Measures the tokens in memory.
struct BenchArenaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "arena",
        abstract: "Build the tokens of one match in memory from a private PostgreSQL, and follow their rotation."
    )

    @Option(help: "Activities of the match.")
    var rows = 1_000_000

    @Option(help: "Rotations that are followed one by one.")
    var rotations = 200

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func run() async throws {
        let bench = ArenaBench(rows: rows, rotations: rotations)
        let figures = try await untilSignal { try await bench.run(on: BenchDatabase.start(undoneBy: $0)) }
        figures.show(asJSON: json)
    }
}

/// Measures the way of a reply into the journal.
struct BenchIngestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ingest",
        abstract: "Read, compare, fold and journal a large match, one new ball a reply, on a private PostgreSQL.",
        discussion: """
            sportmonks and cricsheet send a match in one reply, so each reply is as large as the match; roanuz and \
            entitysport send it in pages, and a reply has the pages that changed. The output says both sizes.
            """
    )

    @Option(help: "sportmonks, roanuz, entitysport or cricsheet; totals alone are never large.")
    var provider = Provider.sportmonks.rawValue

    @Option(help: "Replies that are timed.")
    var rounds = 200

    @Option(help: "Bytes of the whole match; a reply of pages may contain only some of them.")
    var bytes = 1_000_000

    @Option(help: "Milliseconds; exit status 1 when the 99th percentile of the whole way is above.")
    var atMost: Double?

    @Flag(help: "Print one JSON object and nothing else.")
    var json = false

    func run() async throws {
        if let atMost, !(atMost > 0) { throw ValidationError("--at-most must be above 0.") }
        guard let provider = Provider(rawValue: provider), provider != .cricketData else {
            throw ValidationError("--provider must be sportmonks, roanuz, entitysport or cricsheet.")
        }
        let bench = IngestBench(provider: provider, rounds: max(1, rounds), bytesMin: bytes)
        let figures = try await untilSignal { try await bench.run(on: BenchDatabase.start(undoneBy: $0)) }
        figures.show(asJSON: json)
        if let atMost, !figures.isWithin(.milliseconds(atMost)) { throw ExitCode.failure }
    }
}
