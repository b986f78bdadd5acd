// The one binary: every long-running part and every tool of the backend is a subcommand of it.

import ArgumentParser

@main
struct ScoreServerCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "score-server",
        abstract: "Puts every ball of a cricket match on the Lock Screens of the people who follow it."
    )
}
