// The audit log is checked and bounded every hour, and its head leaves the database, so that a rewritten log is found.

import Logging
import Metrics
import ScoreTypes

/// Exports the head of the audit log, checks new entries, deletes old ones and records the acts of timers.
struct AuditUpkeep: Sendable {
    private let store: PostgresAdminStore
    private let node: NodeID
    private let days: Int
    private let clock: ServiceClock
    private let log = Logger(label: "score.audit")

    init(_ store: PostgresAdminStore, node: NodeID, days: Int, clock: ServiceClock) {
        (self.store, self.node, self.days, self.clock) = (store, node, days, clock)
    }

    /// Runs until cancelled.
    func run() async {
        var checked: Int64?
        var looks = 0
        while !Task.isCancelled {
            do {
                if looks.isMultiple(of: ServerLimits.auditUpkeepLooks) {
                    checked = try await keep(checkedUpTo: checked)
                }
                try await export()
            } catch {
                log.warning("audit log not checked", metadata: ["error": "\(error)"])
            }
            looks += 1
            try? await Task.sleep(for: ServerLimits.auditHeadInterval)
        }
    }

    /// Deletes old entries and tokens, checks the entries behind the last check, and logs the head.
    ///
    /// - Returns: The number of the newest checked entry; nil in an empty log.
    func keep(checkedUpTo last: Int64?) async throws -> Int64? {
        let deleted = try await store.forgetAudit(olderThanDays: days, node: node.text)
        Counter(label: "score_audit_deleted_total").increment(by: deleted)
        try await store.forgetTokens(endedBefore: clock.wall - ServerLimits.endedTokenAge)
        let report = try await store.verifyAudit(after: last)
        Gauge(label: "score_audit_faults").record(report.faults.count)
        for fault in report.faults {
            let place: Logger.Metadata = ["entry": "\(fault.number)", "kind": "\(fault.kind)"]
            log.error("audit log was changed", metadata: place)
        }
        let chain = report.chain
        let head: Logger.Metadata = [
            "entries": "\(chain.headNumber)", "head": "\(Base64URL.text(chain.headHash))",
        ]
        log.notice("audit head", metadata: head)
        if !report.isIntact { return last }
        return report.nextAfter ?? (chain.headNumber > 0 ? chain.headNumber : nil)
    }

    private func export() async throws {
        guard let head = try await store.auditHead() else { return }
        Gauge(label: "score_audit_entries").record(head.number)
        Gauge(label: "score_audit_age_seconds").record((clock.wall - head.at).components.seconds)
    }
}
