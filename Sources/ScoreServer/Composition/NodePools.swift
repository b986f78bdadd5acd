// Requests of phones have database connections of their own, so that many of them delay neither a ball nor the node.

import Postgres

/// The pools of a node.
struct NodePools: Sendable {
    /// For requests of phones, which may end before their answer.
    let api: Pool
    /// For the node's own work and for operators.
    let duty: Pool
    /// For the journal.
    let journal: Pool
    /// For the progress of fan-outs.
    let progress: Pool

    /// All of them.
    var all: [Pool] { [api, duty, journal, progress] }

    /// Makes the pools; connections open at first use.
    init(_ database: ConnectionInfo) {
        api = Pool(
            database,
            size: ServerLimits.apiConnections,
            name: "api",
            bounds: .init(
                statementTimeout: ServerLimits.apiStatementTime,
                idleTimeout: ServerLimits.apiIdleTime,
                endsWithCaller: true
            )
        )
        let own = Pool.Bounds(statementTimeout: ServerLimits.dutyStatementTime)
        duty = Pool(database, size: ServerLimits.dutyConnections, name: "duty", bounds: own)
        journal = Pool(database, size: ServerLimits.journalConnections, name: "journal", bounds: own)
        progress = Pool(database, size: ServerLimits.progressConnections, name: "progress", bounds: own)
    }
}
