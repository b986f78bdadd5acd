// Operators take a node out of service before they stop its machine, and take it back.

import HTTPTypes
import Hummingbird
import Postgres
import ScoreTypes

/// `/admin/api/v1/nodes…`.
struct NodeRoutes: Sendable {
    let control: any NodeControl

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.nodes) { _ in Answer.json(AdminRoutes.items(try await control.nodes().map(\.json))) }
        router.change(.drainNode, wouldAffect: { try await moving(from: $0) }) { write, entry in
            let spread = try write.read { fields in
                fields.optional("seconds", .integer(ServerLimits.drainSeconds)) ?? ServerLimits.usualDrainSeconds
            }
            return try await drain(write, over: .seconds(spread), entry)
        }
        router.change(.undrainNode, wouldAffect: { try await node($0).drain == nil ? 0 : 1 }) { write, entry in
            try await drain(write, over: nil, entry)
        }
    }

    private func drain(_ write: AdminWrite, over spread: Duration?, _ entry: AuditEntry) async throws -> AuditedChange {
        let before = try await node(write)
        var entry = entry
        entry.before = .record(["draining": .bool(before.drain != nil)])
        entry.after = .record(["draining": .bool(spread != nil)])
        guard let number = try await control.drain(before.node, over: spread, entry) else {
            throw ServiceProblem(.notFound)
        }
        return AuditedChange(number: number, result: try await node(write).json)
    }

    /// The streams, leases and buckets that leave the node.
    private func moving(from write: AdminWrite) async throws -> Int64 {
        let node = try await node(write)
        return Int64(node.report.streams + node.leases.count + node.buckets)
    }

    private func node(_ write: AdminWrite) async throws -> NodeRecord {
        let id = try write.id(NodeID.self)
        guard let node = try await control.nodes().first(where: { $0.node == id && $0.isAlive }) else {
            throw ServiceProblem(.notFound, "There is no such living node.")
        }
        return node
    }
}
