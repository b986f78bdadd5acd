// The audit log in PostgreSQL: a writer locks the head of the chain until its transaction ends, on every node.

import Postgres
import ScoreTypes

extension PostgresAdminStore {
    func record(_ entry: AuditEntry) async throws -> Int64 {
        try await pool.transaction { connection in try connection.appendAudit(entry) }
    }

    func audit(_ filter: AuditFilter) async throws -> AuditPage {
        let texts = [filter.actor, filter.action, filter.target].map { text in text.map { Bind.text($0) } ?? .null }
        return try await pool.withConnection { connection in
            var (before, first, isLast) = (filter.before ?? .max, Int64.min, true)
            if !filter.hasIndex {
                let chain = try connection.auditChain(AuditSQL.chain)
                before = min(before, chain.headNumber + 1)
                // The numbers have no gap.
                first = before - entriesPerSearch
                isLast = first <= chain.anchorNumber + 1
            }
            let binds = texts + [.int(before), .int(filter.limit), .int(first)]
            let rows = try connection.query(AuditSQL.page, binds) { row in try AuditRow(row) }
            let end = isLast ? nil : first
            return AuditPage(rows: rows, next: rows.count < filter.limit ? end : rows.last?.number)
        }
    }

    func verifyAudit(after number: Int64?) async throws -> AuditReport {
        try await pool.transaction(.snapshotReadOnly) { connection in
            let chain = try connection.auditChain(AuditSQL.chain)
            let start = try number.flatMap { number in
                try connection.query(AuditSQL.rows, [.int(number - 1), .int(1)]) { row in try AuditRow(row) }
                    .first { $0.number == number }
            }
            var verifier = AuditVerifier(chain, after: start)
            if start == nil, chain.anchorNumber > 0 {
                let ends = try connection.query(AuditSQL.lastDeletion) { row in try row.text(0) }
                if ends.first != chain.anchorText { verifier.noteAnchor() }
            }
            var last = start?.number ?? Int64.min
            while verifier.report.checked < ServerLimits.auditEntriesPerCheck {
                let page = Int64(ServerLimits.auditEntriesPerRead)
                let rows = try connection.query(AuditSQL.rows, [.int(last), .int(page)]) { row in try AuditRow(row) }
                for row in rows { verifier.check(row) }
                guard rows.count == Int(page), let end = rows.last else {
                    verifier.finish()
                    return verifier.report
                }
                last = end.number
            }
            verifier.pause()
            return verifier.report
        }
    }

    /// Deletes the oldest entries that are older than so many days, at most `ServerLimits.auditDeletions`.
    func forgetAudit(olderThanDays days: Int, node: String) async throws -> Int64 {
        try await pool.transaction { connection in
            let binds: [Bind] = [.integer(Int32(clamping: days)), .integer(Int32(ServerLimits.auditDeletions))]
            let deleted = try connection.query(AuditSQL.forget, binds) { row in try row.int(0) }.first ?? 0
            guard deleted > 0 else { return 0 }
            let chain = try connection.auditChain(AuditSQL.chain)
            let detail = JSONValue.record(["deleted": .integer(deleted)])
            let entry = AuditEntry.timer(AuditSQL.deletion, target: chain.anchorText, node: node, detail: detail)
            _ = try connection.appendAudit(entry)
            return deleted
        }
    }

    /// The number, the hash and the time of the newest entry; nil in an empty log.
    func auditHead() async throws -> (number: Int64, hash: [UInt8], at: Instant)? {
        try await pool.query(AuditSQL.head) { row in (try row.int(0), try row.bytes(1), try row.timestamp(2)) }.first
    }
}

extension AuditChain {
    /// The number and the hash of the last deleted entry, as the entry about its deletion has them.
    fileprivate var anchorText: String { "\(anchorNumber):\(Base64URL.text(anchorHash))" }
}

extension Connection {
    /// Appends an entry to the chain, as the last statement of a transaction; returns its number.
    func appendAudit(_ entry: AuditEntry) throws -> Int64 {
        let heads = try query(AuditSQL.lockHead) { row in (try row.int(0), try row.bytes(1), try row.timestamp(2)) }
        guard let (number, hash, now) = heads.first else { throw ServiceProblem.unavailable("audit") }
        let row = AuditRow(entry, number: number + 1, at: now, after: hash)
        try execute(AuditSQL.insert, row.binds)
        try execute(AuditSQL.moveHead, [.int(row.number), .bytes(row.hash)])
        return row.number
    }

    fileprivate func auditChain(_ statement: Statement) throws -> AuditChain {
        let chains = try query(statement) { row in
            AuditChain(
                headNumber: try row.int(0),
                headHash: try row.bytes(1),
                anchorNumber: try row.int(2),
                anchorHash: try row.bytes(3)
            )
        }
        guard let chain = chains.first else { throw ServiceProblem.unavailable("audit") }
        return chain
    }
}

/// The statements on the audit log.
private enum AuditSQL {
    /// The action of the entry about a deletion.
    static let deletion = "audit.delete"

    static let chain = Statement("select head_number, head_hash, anchor_number, anchor_hash from audit_chain")
    static let lockHead = Statement(
        """
        select head_number, head_hash, date_trunc('milliseconds', clock_timestamp()) from audit_chain for update
        """
    )
    static let moveHead = Statement("update audit_chain set head_number = $1, head_hash = $2")
    static let insert = Statement(
        """
        insert into audit (audit_id, at, actor, actor_id, role, via, address, action, target, reason, outcome,
            request_id, before, after, detail, prev_hash, hash)
        values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
        """
    )
    static let page = Statement(
        """
        select audit_id, at, actor, actor_id, role, via, address, action, target, reason, outcome, request_id, before,
            after, detail, prev_hash, hash
        from audit
        where ($1::text is null or actor = $1) and ($2::text is null or action = $2)
            and ($3::text is null or target = $3) and audit_id < $4 and audit_id >= $6
        order by audit_id desc limit $5
        """
    )
    static let rows = Statement(
        """
        select audit_id, at, actor, actor_id, role, via, address, action, target, reason, outcome, request_id, before,
            after, detail, prev_hash, hash
        from audit where audit_id > $1 order by audit_id limit $2
        """
    )
    static let lastDeletion = Statement(
        "select target from audit where action = 'audit.delete' order by audit_id desc limit 1"
    )
    static let forget = Statement("select deleted from forget_audit(make_interval(days => $1), $2)")
    static let head = Statement(
        """
        select c.head_number, c.head_hash, a.at from audit_chain c join audit a on a.audit_id = c.head_number
        """
    )
}

extension AuditRow {
    fileprivate init(_ row: Row) throws {
        let texts = Texts(
            actor: try row.text(2),
            actorID: try row.text(3),
            role: try row.text(4),
            via: try row.text(5),
            address: try row.text(6),
            action: try row.text(7),
            target: try row.text(8),
            reason: try row.text(9),
            outcome: try row.text(10),
            requestID: try row.text(11),
            before: try row.textIfPresent(12),
            after: try row.textIfPresent(13),
            detail: try row.text(14)
        )
        self.init(
            number: try row.int(0),
            at: try row.timestamp(1),
            texts: texts,
            previous: try row.bytes(15),
            hash: try row.bytes(16)
        )
    }

    fileprivate var binds: [Bind] {
        let columns: [Bind] = texts.list.map { text in text.map { .text($0) } ?? .null }
        return [.int(number), .timestamp(at)] + columns + [.bytes(previous), .bytes(hash)]
    }
}
