// The executable that developers and testers run, so that `score-server serve` links no simulator.

import ArgumentParser

/// The root of all commands.
@main
struct ScoreLabCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "score-lab",
        abstract: "Simulates, verifies, measures and breaks score-server on this machine.",
        subcommands: [
            DemoCommand.self, SimulateFeedCommand.self, SimulateAPNsCommand.self, VerifyCommand.self,
            VerifyFeedsCommand.self, VerifyClientCommand.self, ReplayCommand.self, ReplayCapturesCommand.self,
            RenderCommand.self,
            BenchCommand.self,
            CrashCommand.self, SoakCommand.self,
        ]
    )
}
