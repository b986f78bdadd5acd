// A check of the chain names each entry at which the log differs from what was written.

import ScoreTypes

/// A place at which the audit log was changed.
struct AuditFault: Sendable, Hashable {
    /// The kind of a change.
    enum Kind: String, Sendable {
        /// A column of the entry, or its hash, was changed, or the entry was moved here.
        case changed
        /// Entries were deleted before this one.
        case missing
        /// The entry does not continue the one before it: that one was replaced, or this one was inserted.
        case unlinked
        /// The entry is behind the head of the chain: it was inserted without it.
        case inserted
        /// The newest entries were deleted.
        case truncated
        /// The deleted part does not end where the log says.
        case anchor
    }

    /// The number of the entry.
    let number: Int64
    let kind: Kind
}

/// The ends of the stored chain.
struct AuditChain: Sendable, Hashable {
    /// The newest entry; 0 and empty in an empty log.
    let headNumber: Int64
    let headHash: [UInt8]
    /// The last deleted entry; 0 and empty when none was deleted.
    let anchorNumber: Int64
    let anchorHash: [UInt8]
}

/// The result of a check.
struct AuditReport: Sendable, Hashable {
    let chain: AuditChain
    /// Entries that were checked.
    var checked: Int64 = 0
    /// The faults in order, at most `ServerLimits.auditFaults`.
    var faults: [AuditFault] = []
    /// Where the next check continues; nil at the head.
    var nextAfter: Int64?

    var isIntact: Bool { faults.isEmpty }

    /// The report for operators.
    var json: JSONValue {
        .record([
            "intact": .bool(isIntact), "checked": .integer(checked),
            "faults": .array(
                faults.map { .record(["id": .integer($0.number), "kind": .text($0.kind.rawValue)]) }
            ),
            "head": .record(["id": .integer(chain.headNumber), "hash": .text(Hex.string(chain.headHash))]),
            "anchor": .record(["id": .integer(chain.anchorNumber), "hash": .text(Hex.string(chain.anchorHash))]),
            "nextAfter": nextAfter.map { .integer($0) },
        ])
    }
}

/// Checks entries in the order of their numbers.
struct AuditVerifier: Sendable {
    private(set) var report: AuditReport
    private var number: Int64
    private var hash: [UInt8]

    /// Begins behind an entry of the log; nil: behind the anchor.
    init(_ chain: AuditChain, after start: AuditRow? = nil) {
        report = AuditReport(chain: chain)
        number = start?.number ?? chain.anchorNumber
        hash = start?.hash ?? chain.anchorHash
    }

    /// Checks the next stored entry.
    mutating func check(_ row: AuditRow) {
        report.checked += 1
        if row.number > report.chain.headNumber || row.number <= number {
            note(row.number, .inserted)
            return
        }
        if row.number > number + 1 { note(number + 1, .missing) }
        if !row.isIntact { note(row.number, .changed) }
        if row.number == number + 1, row.previous != hash { note(row.number, .unlinked) }
        (number, hash) = (row.number, row.hash)
    }

    /// Notes that the deleted part does not end where the newest entry about a deletion says.
    mutating func noteAnchor() { note(report.chain.anchorNumber, .anchor) }

    /// Ends the check at the head of the log.
    mutating func finish() {
        let chain = report.chain
        if number < chain.headNumber {
            note(number + 1, .truncated)
        } else if hash != chain.headHash {
            note(number, .unlinked)
        }
    }

    /// Ends the check before the head.
    mutating func pause() { report.nextAfter = number }

    private mutating func note(_ number: Int64, _ kind: AuditFault.Kind) {
        guard report.faults.count < ServerLimits.auditFaults else { return }
        report.faults.append(AuditFault(number: number, kind: kind))
    }
}
