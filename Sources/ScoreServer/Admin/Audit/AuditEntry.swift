// An entry of the audit log names its author, its action and its outcome.

import ScoreTypes

/// One entry of the audit log before it is stored.
struct AuditEntry: Sendable, Hashable {
    /// The outcome of a request.
    enum Outcome: String, Sendable, Hashable, CaseIterable { case intended, done, failed, denied }

    /// The way by which a request came.
    enum Via: String, Sendable, Hashable {
        /// A bearer token.
        case api
        /// The session of a browser.
        case ui
        /// A command on a machine with the settings.
        case cli
        /// The token of a scheduler.
        case scheduler
        /// A timer of a node.
        case system
    }

    /// `token:<name>`, `scheduler:<name>`, `cli:<user>`, `timer:<node>`, `anonymous`.
    var actor: String
    /// The id of the actor's token; empty for others.
    var actorID = ""
    var role: String
    var via = Via.api
    /// The network of the client; empty for others.
    var address = ""
    var action: String
    var target: String
    var reason: String
    var outcome: Outcome
    var requestID: String
    /// The state before and after, without secrets; nil where the action has none.
    var before: JSONValue?
    var after: JSONValue?
    /// A redacted JSON object.
    var detail: JSONValue = .object([])

    /// An entry for an act of a command.
    static func command(_ action: String, target: String, reason: String, user: String, detail: JSONValue = .object([]))
        -> AuditEntry
    {
        AuditEntry(
            actor: "cli:\(user)",
            role: "none",
            via: .cli,
            action: action,
            target: target,
            reason: reason,
            outcome: .done,
            requestID: "",
            detail: detail
        )
    }

    /// An entry for an act of a timer.
    static func timer(_ action: String, target: String, node: String, detail: JSONValue) -> AuditEntry {
        AuditEntry(
            actor: "timer:\(node)",
            role: "none",
            via: .system,
            action: action,
            target: target,
            reason: "",
            outcome: .done,
            requestID: "",
            detail: detail
        )
    }
}

/// The entries that a reader wants.
struct AuditFilter: Sendable, Hashable {
    /// The names of the query.
    static let names = ["actor", "action", "target", "before", "limit"]

    var actor: String?
    var action: String?
    var target: String?
    /// Only entries with a lower number.
    var before: Int64?
    var limit: Int64 = 50

    init() {}

    /// Reads the filter of a query.
    init(_ query: QueryFields) throws(ServiceProblem) {
        (actor, action, target) = (query["actor"], query["action"], query["target"])
        before = try query.integer("before", 1...Int64.max)
        limit = try query.integer("limit", 1...ServerLimits.auditEntriesPerPage) ?? 50
    }

    /// Whether an index finds the entries; else all are read.
    var hasIndex: Bool { actor == nil && target == nil }
}

/// A page of the audit log.
struct AuditPage: Sendable {
    /// The entries, newest first; a short or an empty page may have a next one.
    let rows: [AuditRow]
    /// The number that begins the next page, for ``AuditFilter/before``; nil at the end.
    let next: Int64?
}

extension JSONValue {
    /// The value without texts that look like secrets, and without the values of members that are named so.
    var redacted: JSONValue {
        switch self {
        case .object(let members):
            .object(
                members.map { member in
                    let name = member.name.lowercased()
                    let isSecret = ["secret", "credential", "password", "token"].contains(where: name.contains)
                    return Member(name: member.name, value: isSecret ? .text(Redaction.mark) : member.value.redacted)
                }
            )
        case .array(let elements): .array(elements.map(\.redacted))
        case .text(let text): .text(Redaction.scrub(text, isCounted: false))
        case .integer, .number, .bool, .null: self
        }
    }
}
