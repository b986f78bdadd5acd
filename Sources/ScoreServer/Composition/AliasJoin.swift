// The operators' alias table is ScoreIngest's.

import Providers
import ScoreIngest
import ScoreTypes

/// Joins the two rooms.
struct AliasJoin: AliasControl {
    let records: AliasRecords

    func aliases() async throws -> [Alias] { try await records.book().aliases }

    func put(_ aliases: [Alias]) async throws { try await records.put(aliases) }

    func remove(_ kind: AliasKind, _ provider: Provider, _ id: String) async throws -> Bool {
        try await records.remove(kind, provider, id)
    }
}
