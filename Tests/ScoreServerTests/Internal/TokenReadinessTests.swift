// A node that accepts no registrations, or does not see them, must not be ready.

import Postgres
import Synchronization
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct TokenReadinessTests {
    /// A node whose login owns nothing, as docs/operations.md has it, beside a connection of the owner.
    private func withNode(_ body: @Sendable (WholeNode, Connection) async throws -> Void) async throws {
        let setup = try await NodeSetup()
        let owner = try await Connection.open(setup.info, name: "owner")
        try await owner.script(
            "do $$ begin execute format('alter database %I set role = score_server', current_database()); end $$"
        )
        try await setup.withWholeNode { try await body($0, owner) }
        await owner.close()
        await setup.stop()
    }

    /// Waits for a state of the check `tokens`; returns its detail.
    private func tokens(_ node: WholeNode, healthy: Bool, status: Int) async throws -> String? {
        let detail = Mutex<String?>(nil)
        try await eventually("tokens are healthy: \(healthy)") {
            let answer = try await node.internalClient.get("/readyz")
            let check = answer.json["checks"]?.list.first { $0["name"]?.string == "tokens" }
            detail.withLock { $0 = check?["detail"]?.string }
            return answer.status == status && check?["healthy"] == .bool(healthy)
        }
        return detail.withLock { $0 }
    }

    @Test("P10: a node is not ready while PostgreSQL refuses changes of tokens")
    func aNodeWithoutWritesIsNotReady() async throws {
        try await withNode { node, owner in
            #expect(try await tokens(node, healthy: true, status: 200) == nil)
            try await owner.script("revoke insert on change from score_server")
            #expect(try await tokens(node, healthy: false, status: 503) == "changes cannot be written: other [42501]")
            try await owner.script("grant insert on change to score_server")
            #expect(try await tokens(node, healthy: true, status: 200) == nil)
        }
    }

    @Test("P8: a node is not ready while its database only reads") func aReadOnlyDatabaseIsNotReady() async throws {
        try await withNode { node, owner in
            _ = try await tokens(node, healthy: true, status: 200)
            let readOnly: (Bool) async throws -> Void = { isOn in
                try await owner.script(
                    isOn
                        ? """
                        do $$ begin execute format(
                        'alter database %I set default_transaction_read_only = on', current_database()); end $$
                        """
                        : """
                        do $$ begin execute format(
                        'alter database %I set default_transaction_read_only = off', current_database()); end $$
                        """
                )
                try await owner.script(
                    """
                    select pg_terminate_backend(pid) from pg_stat_activity
                    where datname = current_database() and pid <> pg_backend_pid()
                    """
                )
            }
            try await readOnly(true)
            let detail = try await tokens(node, healthy: false, status: 503)
            #expect(detail == "changes cannot be written: readOnly [25006]")
            try await readOnly(false)
            _ = try await tokens(node, healthy: true, status: 200)
        }
    }

    @Test("P9: a node that cannot read the changes of others is not ready")
    func aNodeThatSeesNoChangesIsNotReady() async throws {
        try await withNode { node, owner in
            _ = try await tokens(node, healthy: true, status: 200)
            try await owner.script("revoke select on change_dropped from score_server")
            #expect(try await tokens(node, healthy: false, status: 503) == "changes cannot be read: other [42501]")
            try await owner.script("grant select on change_dropped to score_server")
            _ = try await tokens(node, healthy: true, status: 200)
        }
    }
}
