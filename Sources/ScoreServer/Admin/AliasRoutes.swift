// People maintain the table of providers' ids that mean the same match, team or player.

import HTTPTypes
import Hummingbird
import Providers
import ScoreIngest
import ScoreTypes

/// `/admin/api/v1/aliases…`.
struct AliasRoutes: Sendable {
    /// Characters of a provider's id.
    static let idLength = 1...200

    let store: any AliasStore

    /// Adds the routes.
    func add(to router: InternalRouter) {
        router.read(.aliases) { call in try await list(call) }
        let count: AdminWrite.Count = { Int64(try Self.given($0).count) }
        router.write(.putAliases, wouldAffect: count) { write in
            let aliases = try Self.given(write)
            try await store.put(aliases)
            return .record(["done": .bool(true), "count": .whole(aliases.count)])
        }
        let known: AdminWrite.Count = { write in
            let (kind, provider, id) = try Self.removed(write)
            return try await store.table().aliases.contains {
                $0.kind == kind && $0.provider == provider && $0.providerID == id
            } ? 1 : nil
        }
        router.write(.removeAlias, wouldAffect: known) { write in
            let (kind, provider, id) = try Self.removed(write)
            return try await AdminRoutes.done(store.remove(kind, provider, id))
        }
    }

    private static func given(_ write: AdminWrite) throws(ServiceProblem) -> [Alias] {
        try write.read { fields in
            fields.list("aliases", max: ServerLimits.aliasesPerBody) { alias(&$0) }.compactMap(\.self)
        }
    }

    private static func removed(_ write: AdminWrite) throws(ServiceProblem) -> (AliasKind, Provider, String) {
        try write.read { fields in
            let kind = fields.required("kind", .choice(AliasKind.self))
            let provider = fields.required("provider", .choice(Provider.self))
            let id = fields.text("providerId", length: idLength)
            return kind.flatMap { kind in provider.map { (kind, $0, id) } }
        }
    }

    private func list(_ call: Call) async throws -> Response {
        let limit = try call.query.integer("limit", 1...ServerLimits.aliasesPerPage) ?? ServerLimits.aliasesPerPage
        let cursor = try call.query["after"].map { text throws(ServiceProblem) in
            guard let cursor = AliasCursor(text) else { throw .invalid("after", "expected nextAfter") }
            return cursor
        }
        let page = try await store.page(after: cursor, limit: Int(limit))
        return Answer.json(
            JSONValue.record([
                "items": .array(page.aliases.map(\.json)), "total": .integer(page.total),
                "nextAfter": page.next.map { .text($0.text) },
            ]).bytes
        )
    }

    private static func alias(_ fields: inout FieldReader) -> Alias? {
        let kind = fields.required("kind", .choice(AliasKind.self))
        let provider = fields.required("provider", .choice(Provider.self))
        let id = fields.text("providerId", length: idLength)
        let ours = fields.text("ourId", length: idLength)
        if kind == .match && MatchID(ours) == nil {
            fields.complain("ourId", code: "format", "expected 1 to 64 of A-Z a-z 0-9 . _ -")
        }
        guard let kind, let provider else { return nil }
        return Alias(kind, provider, id, means: ours)
    }
}

extension Alias {
    /// The alias for operators.
    fileprivate var json: JSONValue {
        .record([
            "kind": .text(kind.rawValue), "provider": .text(provider.rawValue), "providerId": .text(providerID),
            "ourId": .text(ourID),
        ])
    }
}
