// Operators see more lines of one component or one match for at most an hour.

import HTTPTypes
import Hummingbird
import Logging
import Postgres
import ScoreTypes

/// `/admin/api/v1/log-level`.
struct LogLevelRoutes: Sendable {
    let store: any LogLevelStore
    let nodes: any NodeControl
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.logLevels) { _ in Answer.json(AdminRoutes.items(try await store.current().map(\.json))) }
        let count: AdminWrite.Count = { write in
            let change = try wanted(write)
            return Int64(try await nodes.nodes().count { $0.isAlive && (change.node ?? $0.node) == $0.node })
        }
        router.change(.putLogLevel, wouldAffect: count) { write, entry in
            let change = try wanted(write)
            return AuditedChange(number: try await store.put(change, entry), result: change.json)
        }
    }

    private func wanted(_ write: AdminWrite) throws(ServiceProblem) -> LogLevelChange {
        let now = clock.wall
        return try write.read { fields in
            let component = fields.optional("component", .text(1...64)) ?? ""
            let match = fields.optional("match", .text(1...64))
            let node = fields.optional("node", .text(1...64))
            let level = Logger.Level(rawValue: fields.text("level", length: 1...16))
            if level == nil { fields.complain("level", code: "enum", "expected a level such as debug") }
            if match.map({ MatchID($0) == nil }) == true { fields.complain("match", code: "format", "expected an id") }
            if node.map({ NodeID($0) == nil }) == true { fields.complain("node", code: "format", "expected an id") }
            let seconds = fields.optional("ttlSeconds", .integer(ServerLimits.logLevelSeconds))
            return level.map { level in
                LogLevelChange(
                    component: component,
                    match: match.flatMap { MatchID($0) },
                    node: node.flatMap { NodeID($0) },
                    level: level,
                    expiresAt: now + .seconds(seconds ?? ServerLimits.usualLogLevelSeconds),
                    changedBy: write.principal.actor,
                    reason: write.reason
                )
            }
        }
    }
}
