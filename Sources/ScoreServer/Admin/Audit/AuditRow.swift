// A stored entry carries the hash of the entry before it, so that no entry can be changed or removed unnoticed.

import ScoreTypes

/// One stored entry of the audit log.
struct AuditRow: Sendable, Hashable {
    /// 1, 2, … without a gap.
    let number: Int64
    let at: Instant
    /// The columns between time and detail, in the order of the table.
    let texts: Texts
    /// The hash of the entry before; empty for the first one.
    let previous: [UInt8]
    /// The stored hash of this entry.
    let hash: [UInt8]

    /// The texts of an entry, as they are stored.
    struct Texts: Sendable, Hashable {
        var actor, actorID, role, via, address, action, target, reason, outcome, requestID: String
        /// JSON objects; nil where the action has no such state.
        var before, after: String?
        /// A JSON object.
        var detail: String
    }

    /// Makes the row of an entry behind another.
    init(_ entry: AuditEntry, number: Int64, at: Instant, after previous: [UInt8]) {
        let texts = Texts(entry)
        self.init(
            number: number,
            at: at,
            texts: texts,
            previous: previous,
            hash: Self.hash(previous, number, at, texts)
        )
    }

    init(number: Int64, at: Instant, texts: Texts, previous: [UInt8], hash: [UInt8]) {
        (self.number, self.at, self.texts) = (number, at, texts)
        (self.previous, self.hash) = (previous, hash)
    }

    /// Whether the stored hash is that of the stored columns.
    var isIntact: Bool { hash == Self.hash(previous, number, at, texts) }

    /// SHA-256 of the hash before and the JSON array of all columns.
    private static func hash(_ previous: [UInt8], _ number: Int64, _ at: Instant, _ texts: Texts) -> [UInt8] {
        var json = JSONWriter()
        json.array { json in
            json.integer(number)
            json.integer(at.milliseconds)
            for text in texts.list {
                if let text { json.string(text) } else { json.null() }
            }
        }
        return SecretDigest(of: previous + json.bytes).bytes
    }

    /// The entry for operators.
    var json: JSONValue {
        func object(_ text: String?) -> JSONValue? {
            text.map { (try? JSONValue(parsing: Array($0.utf8))) ?? .text($0) }
        }
        return .record([
            "id": .integer(number), "at": .text(at.rfc3339), "actor": .text(texts.actor),
            "actorId": .text(texts.actorID), "role": .text(texts.role), "via": .text(texts.via),
            "address": .text(texts.address), "action": .text(texts.action), "target": .text(texts.target),
            "reason": .text(texts.reason), "outcome": .text(texts.outcome), "requestId": .text(texts.requestID),
            "before": object(texts.before), "after": object(texts.after), "detail": object(texts.detail),
            "prevHash": .text(Hex.string(previous)), "hash": .text(Hex.string(hash)),
        ])
    }
}

extension AuditRow.Texts {
    /// The texts of an entry; its JSON values are redacted.
    init(_ entry: AuditEntry) {
        func text(_ value: JSONValue?) -> String? { value.map { String(decoding: $0.redacted.bytes, as: UTF8.self) } }
        self.init(
            actor: entry.actor,
            actorID: entry.actorID,
            role: entry.role,
            via: entry.via.rawValue,
            address: entry.address,
            action: entry.action,
            target: entry.target,
            reason: Redaction.scrub(entry.reason, isCounted: false),
            outcome: entry.outcome.rawValue,
            requestID: entry.requestID,
            before: text(entry.before),
            after: text(entry.after),
            detail: text(entry.detail) ?? "{}"
        )
    }

    /// The columns in the order of the table.
    var list: [String?] {
        [
            actor, actorID, role, via, address, action, target, reason, outcome, requestID, before, after, detail,
        ]
    }
}
