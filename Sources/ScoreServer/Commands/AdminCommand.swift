// `score-server admin`: creates the bearer tokens that the internal listener accepts.

import ArgumentParser

/// Groups the commands of the admin API.
struct AdminCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Manage access to the internal listener.",
        subcommands: [AdminTokensCommand.self]
    )
}

/// Groups the commands for admin tokens.
struct AdminTokensCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tokens",
        abstract: "Manage bearer tokens of the internal listener.",
        subcommands: [CreateAdminTokenCommand.self]
    )
}

extension AdminRole: ExpressibleByArgument {}

/// Creates a token for an operator, a scheduler or a scraper.
struct CreateAdminTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a bearer token for the internal listener; it is printed once and stored hashed."
    )

    @Option(help: "The name of its user in the audit log.")
    var name: String

    @Option(help: "The permissions of the token.")
    var role: AdminRole

    @Option(help: "Settings file; the environment overrides it.")
    var env = ".env"

    func run() async throws {
        let settings = try ConfigurationLoader.load(file: env)
        let credential = try await ConfiguredDatabase.usePool(settings, name: "admin-token") { pool in
            try await PostgresAdminStore(pool: pool).makeToken(name: name, role: role, expiresAt: nil)
        }
        print(credential.text)
    }
}
