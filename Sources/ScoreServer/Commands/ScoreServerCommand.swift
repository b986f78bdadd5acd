// The one binary: every long-running part and every tool of the backend is a subcommand of it.

import ArgumentParser
import Foundation

/// The root of all commands.
@main
struct ScoreServerCommand: AsyncParsableCommand {
    static let version = "0.1.0"
    static let configuration = CommandConfiguration(
        commandName: "score-server",
        abstract: "Puts every ball of a cricket match on the Lock Screens of the people who follow it.",
        version: version,
        subcommands: [
            ServeCommand.self, DemoCommand.self, CheckConfigCommand.self, MigrateCommand.self, SweepCommand.self,
            AdminTokenCommand.self, ImportAliasesCommand.self, VerifyCommand.self, VerifyFeedsCommand.self,
            ReplayCommand.self, ReplayCapturesCommand.self, SchemaCommand.self, SimulateFeedCommand.self,
            SimulateAPNsCommand.self,
            BenchCommand.self, CrashCommand.self,
        ]
    )
}

/// Ends the process with one sentence that says what to do.
struct CommandFailure: Error, CustomStringConvertible {
    let description: String

    /// Brings any error into one sentence.
    init(_ error: any Error) { description = "\(error)" }
}
