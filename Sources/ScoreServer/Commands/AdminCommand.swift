// `score-server admin`: creates, lists and revokes the bearer tokens that the internal listener accepts.

import ArgumentParser
import ScoreTypes

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
        subcommands: [CreateAdminTokenCommand.self, ListAdminTokensCommand.self, RevokeAdminTokenCommand.self]
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

    @Option(help: "Days until it expires, 1 to 365.")
    var days = ServerLimits.defaultTokenDays

    @Option(help: "The reason in the audit log.")
    var reason = "created on the command line"

    @OptionGroup
    var file: SettingsFile

    func validate() throws {
        guard ServerLimits.tokenDays.contains(days) else { throw ValidationError("--days must be from 1 to 365.") }
        guard TokenOrder.nameLength.contains(name.unicodeScalars.count) else {
            throw ValidationError("--name needs 1 to 64 characters.")
        }
        try CommandUser.check(reason: reason)
    }

    func run() async throws {
        let settings = try file.load()
        let now = ServiceClock().wall
        let (token, credential) = AdminToken.make(
            name: name,
            role: role,
            by: "cli:\(CommandUser.name)",
            at: now,
            lasting: .seconds(days * 86_400)
        )
        var entry = AuditEntry.command(
            AdminRoute.createToken.action,
            target: token.id,
            reason: reason,
            user: CommandUser.name
        )
        entry.after = token.json(at: now)
        let stored = entry
        try await ConfiguredDatabase.usePool(settings, name: "admin-tokens") { pool in
            _ = try await PostgresAdminStore(pool: pool).add(token, stored)
        }
        print(credential.text)
    }
}

/// Lists the tokens and sessions.
struct ListAdminTokensCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List tokens and sessions, newest first: id, state, role, expiry, last use, name."
    )

    @OptionGroup
    var file: SettingsFile

    func run() async throws {
        let settings = try file.load()
        let tokens = try await ConfiguredDatabase.usePool(settings, name: "admin-tokens") { pool in
            try await PostgresAdminStore(pool: pool).tokens()
        }
        let now = ServiceClock().wall
        for token in tokens {
            let use = token.lastUsedAt?.rfc3339 ?? "never used"
            let kind = token.parentID == nil ? token.name : "\(token.name) (session)"
            print(
                token.id,
                token.state(at: now).rawValue,
                token.role.rawValue,
                token.expiresAt.rfc3339,
                use,
                kind,
                separator: "\t"
            )
        }
    }
}

/// Revokes a token and its sessions.
struct RevokeAdminTokenCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "revoke",
        abstract: "Revoke a token and its sessions; every node refuses them at once."
    )

    @Argument(help: "The id of the token, from `admin tokens list`.")
    var id: String

    @Option(help: "The reason in the audit log.")
    var reason: String

    @OptionGroup
    var file: SettingsFile

    func validate() throws { try CommandUser.check(reason: reason) }

    func run() async throws {
        let settings = try file.load()
        let entry = AuditEntry.command(
            AdminRoute.revokeToken.action,
            target: id,
            reason: reason,
            user: CommandUser.name
        )
        let number = try await ConfiguredDatabase.usePool(settings, name: "admin-tokens") { pool in
            try await PostgresAdminStore(pool: pool).revoke(id, at: ServiceClock().wall, entry)
        }
        guard let number else { throw ValidationError("No active token has the id \(id).") }
        print("\(id) is revoked; entry \(number) of the audit log.")
    }
}
