// Every node applies the changed log levels that concern it.

import Postgres
import ScoreTypes

/// Takes the changes from the store into the levels of this node.
struct LogLevelFollower: Sendable {
    let store: any LogLevelStore
    let levels: LogLevels
    let node: NodeID

    /// Takes the changes of a database.
    init(_ pool: Pool, _ levels: LogLevels, _ node: NodeID, _ clock: ServiceClock) {
        store = LogLevelRecords(pool: pool, clock: clock)
        (self.levels, self.node) = (levels, node)
    }

    /// Reads the changes and applies them.
    func load() async throws {
        levels.replace(try await store.current().filter { ($0.node ?? node) == node })
    }
}
