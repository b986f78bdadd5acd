// The executable that operators run: the server and the commands that administer it.

import ArgumentParser

/// The root of all commands.
@main
struct ScoreServerCommand: AsyncParsableCommand {
    /// The version of this build, as `--version`, `/version` and the metrics report it.
    static let version = "0.1.0"
    static let configuration = CommandConfiguration(
        commandName: "score-server",
        abstract: "Puts every ball of a cricket match on the Lock Screens of the people who follow it.",
        version: version,
        subcommands: [
            ServeCommand.self, CheckConfigCommand.self, MigrateCommand.self, SweepCommand.self, AdminCommand.self,
            AuditCommand.self, APNsCommand.self, AliasesCommand.self, SchemaCommand.self,
        ]
    )
}
