// `score-server audit verify`: proves that no entry of the audit log was changed, deleted, inserted or moved.

import ArgumentParser
import ScoreTypes

/// Groups the commands of the audit log.
struct AuditCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "audit",
        abstract: "Check the audit log.",
        subcommands: [VerifyAuditCommand.self]
    )
}

/// Checks the chain of the audit log.
struct VerifyAuditCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Recompute the hash chain of the audit log; exit 1 when an entry was changed, and name it.",
        discussion: """
            The head is printed. Compare it with the hourly log lines \"audit head\" of a node: a log that was \
            rewritten as a whole is consistent in itself.
            """
    )

    @OptionGroup
    var file: SettingsFile

    func run() async throws {
        let settings = try file.load()
        let reports = try await ConfiguredDatabase.usePool(settings, name: "audit-verify") { pool in
            let store = PostgresAdminStore(pool: pool)
            var reports = [try await store.verifyAudit(after: nil)]
            while let next = reports.last?.nextAfter { reports.append(try await store.verifyAudit(after: next)) }
            return reports
        }
        let faults = reports.flatMap(\.faults)
        for fault in faults { print("entry \(fault.number): \(fault.kind.rawValue)") }
        if let chain = reports.last?.chain {
            let count = reports.reduce(0) { $0 + $1.checked }
            print("\(count) entries checked, head \(chain.headNumber) \(Base64URL.text(chain.headHash))")
        }
        guard faults.isEmpty else { throw ExitCode.failure }
    }
}
