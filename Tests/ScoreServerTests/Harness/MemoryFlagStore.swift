// The switches of operators in memory.

import ScoreTypes
import Synchronization

@testable import ScoreServer

/// Stores switches in memory.
final class MemoryFlagStore: FlagStore {
    private let flags = Mutex(FlagSet())
    /// The store of the entries.
    let audit: MemoryAdminStore

    init(audit: MemoryAdminStore) { self.audit = audit }

    func all() async throws -> FlagSet { flags.withLock { $0 } }

    func put(_ change: FlagChange, ifRevision revision: Int64?, _ entry: AuditEntry) async throws -> Int64 {
        let old = flags.withLock { $0.flags[change.name]?.revision ?? 0 }
        if let revision, revision != old { throw ServiceProblem.switchChanged(to: old) }
        flags.withLock { flags in
            flags.flags[change.name] = FeatureFlag(
                name: change.name,
                value: change.value,
                revision: old + 1,
                expiresAt: change.expiresAt,
                changedAt: change.at,
                changedBy: change.by,
                reason: change.reason
            )
        }
        return try await audit.record(entry)
    }
}
