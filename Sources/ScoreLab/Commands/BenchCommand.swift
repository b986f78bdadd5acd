// `score-lab bench`: the figures that the design promises, measured on this machine.

import ArgumentParser

/// The group of benchmarks.
struct BenchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bench",
        abstract: "Measure parts of the service on this machine, each with its own database.",
        subcommands: [
            RegistrationBench.self, ArenaBench.self, BenchFanoutCommand.self, SendBench.self, IngestBench.self,
            ReadsBench.self, BareRoute.self, StreamsBench.self, StreamReadersProcess.self,
            BenchConsoleCommand.self, BenchAudienceCommand.self,
        ]
    )
}
