// Operators override a wrong field of a feed for a limited time; the log names each override's author.

import HTTPTypes
import Hummingbird
import MatchEngine
import MatchJournal
import Providers
import ScoreTypes

/// `/admin/api/v1/matches/{id}/overrides` and `/log`.
struct OverrideRoutes: Sendable {
    /// Lifetime of an override, in seconds.
    static let secondsRange: ClosedRange<Int64> = 30...JournalLimits.overrideLife.components.seconds

    let store: any OverrideStore
    let clock: ServiceClock

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.overrides) { call in
            let overrides = try await store.overrides(of: known(call))
            return Answer.json(AdminRoutes.items(overrides.map(\.json)))
        }
        router.read(.matchLog) { call in try await log(call) }
        let settable: AdminWrite.Count = { write in
            _ = try OverrideBody.read(write, now: clock.wall)
            return try await store.knows(write.id(MatchID.self)) ? 1 : nil
        }
        router.write(.setOverride, wouldAffect: settable) { write in
            let override = try OverrideBody.read(write, now: clock.wall)
            return try await AdminRoutes.done(store.set(override, of: write.id(MatchID.self)))
        }
        let liftable: AdminWrite.Count = { write in
            let field = try Self.liftedField(write)
            return try await store.overrides(of: write.id(MatchID.self)).contains { $0.value.field == field } ? 1 : nil
        }
        router.write(.liftOverride, wouldAffect: liftable) { write in
            try await AdminRoutes.done(store.liftOverride(Self.liftedField(write), of: write.id(MatchID.self)))
        }
    }

    private static func liftedField(_ write: AdminWrite) throws(ServiceProblem) -> String {
        try write.read { $0.required("field", .choice(OverrideField.self))?.rawValue }
    }

    /// The match of a path; 404 when there is none.
    private func known(_ call: Call) async throws -> MatchID {
        let match = try call.parameter("id", as: MatchID.self)
        guard try await store.knows(match) else { throw ServiceProblem(.notFound) }
        return match
    }

    private func log(_ call: Call) async throws -> Response {
        let match = try await known(call)
        let after = try call.query.integer("after", 0...Int64.max) ?? 0
        let limit = try call.query.integer("limit", 1...ServerLimits.logEntriesPerPage) ?? 100
        let item = call.query["item"]
        let statements = try await store.statements(of: match, about: item, after: after, limit: Int(limit))
        let bytes = JSONWriter.document(reservingBytes: 16_384) { json in
            json.objects("items", statements) { statement, json in
                json.field("rev", statement.entry.revision)
                json.field("at", statement.entry.at.rfc3339)
                json.field("seenAt", ifPresent: statement.seenAt?.rfc3339)
                json.field("provider", statement.source.provider)
                json.field("feed", statement.source.feed)
                json.key("change")
                json.raw(statement.body)
            }
        }
        return Answer.json(bytes)
    }
}

/// The fields that an override replaces.
enum OverrideField: String, CaseIterable, Sendable { case status, target, result, startsAt }

/// Reads the body of an override.
enum OverrideBody {
    /// Runs of a target.
    private static let runsRange: ClosedRange<Int64> = 0...9_999
    /// The margin of a win, in runs or in wickets.
    private static let marginRange: (runs: ClosedRange<Int64>, wickets: ClosedRange<Int64>) = (1...9_999, 1...10)
    /// Start of play in seconds since 1970: until the year 2100.
    private static let startRange: ClosedRange<Int64> = 1...4_102_444_800

    /// The override of a body; throws `validation-failed` with every member that is wrong.
    static func read(_ write: AdminWrite, now: Instant) throws(ServiceProblem) -> MatchOverride {
        try write.read { fields in
            let expiresAt = now + .seconds(fields.integer("ttlSeconds", OverrideRoutes.secondsRange))
            let value: OverrideValue? =
                switch fields.required("field", .choice(OverrideField.self)) {
                case .status: status(&fields)
                case .target: target(&fields)
                case .result: result(&fields)
                case .startsAt: .startsAt(fields.integer("startsAt", startRange))
                case nil: nil
                }
            return value.map {
                MatchOverride(value: $0, expiresAt: expiresAt, actor: write.principal.actor, reason: write.reason)
            }
        }
    }

    private static func status(_ fields: inout FieldReader) -> OverrideValue? {
        let note = fields.optional("note", .text(1...120)).map(SafeText.clean)
        return fields.required("status", .choice(MatchStatus.self)).map { .status($0, note: note) }
    }

    private static func target(_ fields: inout FieldReader) -> OverrideValue? {
        let innings = Int(fields.integer("innings", 1...40))
        let target = Target(
            runs: Int(fields.integer("runs", runsRange)),
            balls: fields.optional("balls", .integer(1...9_999)).map { Int($0) },
            method: fields.optional("method", .text(1...24)).map(SafeText.clean)
        )
        return .target(innings: innings, target)
    }

    /// The words for results.
    static let results = Word.allCases.map(\.rawValue)

    private enum Word: String, CaseIterable {
        case runs, wickets, innings, awarded, tie, draw, noResult, won, open
    }

    private enum Team: String, CaseIterable { case first, second }

    private static func result(_ fields: inout FieldReader) -> OverrideValue? {
        let winner = fields.optional("winner", .choice(Team.self)).map { $0 == .first ? Side.first : .second }
        let method = fields.optional("method", .text(1...24)).map(SafeText.clean)
        let kind: ProviderResult.Kind
        // A win by runs, wickets or innings requires its margin.
        switch fields.required("result", .choice(Word.self)) {
        case .runs: kind = .runs(Int(fields.integer("margin", marginRange.runs)))
        case .wickets: kind = .wickets(Int(fields.integer("margin", marginRange.wickets)))
        case .innings: kind = .innings(Int(fields.integer("margin", marginRange.runs)))
        case .awarded: kind = .awarded
        case .tie: kind = .tie
        case .draw: kind = .draw
        case .noResult: kind = .noResult
        case .won: kind = .won
        case .open: return .result(nil)
        case nil: return nil
        }
        let needsWinner = ![.tie, .draw, .noResult].contains(kind)
        if needsWinner && winner == nil { fields.complain("winner", code: "missing", "expected first or second") }
        return .result(ProviderResult(kind: kind, winner: winner, method: method))
    }
}

extension MatchOverride {
    /// The override for operators.
    var json: JSONValue {
        .record([
            "field": .text(value.field), "value": .text(value.sentence), "expiresAt": .text(expiresAt.rfc3339),
            "actor": .text(actor), "reason": .text(reason),
        ])
    }
}

extension OverrideValue {
    /// A short text of the value.
    fileprivate var sentence: String {
        switch self {
        case .status(let status, let note): status.rawValue + (note.map { ": \($0)" } ?? "")
        case .target(let innings, let target):
            "\(target.runs) in innings \(innings)" + (target.balls.map { " off \($0) balls" } ?? "")
        case .result(let result): result.map { "\($0.kind)" } ?? "open"
        case .startsAt(let seconds): Instant(milliseconds: seconds.multipliedReportingOverflow(by: 1_000).0).rfc3339
        }
    }
}
