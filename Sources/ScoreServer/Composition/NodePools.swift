// Who may use how many connections of the database: a crowd of phones must not hold up a ball, nor the node's own work.

import Postgres

/// The pools of a node.
///
/// With what rooms open for themselves (two for terms and leases, two listeners, one that follows activities and for
/// a moment one that reads them) a node has 22 connections at most.
struct NodePools: Sendable {
    /// Connections for requests of phones: four write lanes at once, and some reads beside them.
    static let apiConnections = 8
    /// Connections for what the node does by itself and for operators.
    ///
    /// Starts, ends, evictions, notifications, sweeps, feeds: little of it runs at once, and a long sweep leaves two
    /// for the rest.
    static let dutyConnections = 3
    /// Connections for the journal, so that no crowd of phones delays a ball.
    static let journalConnections = 3
    /// Connections for the progress of fan-outs: a crowd of phones must not make a crash repeat more.
    static let progressConnections = 2

    /// What a phone's statement may take (ops P5); a request has five seconds, and may need two statements.
    static let apiStatementMax = Duration.seconds(2)
    /// How long a phone's transaction may stand still, since its node was stopped or is gone: less than a statement may
    /// take, so that whoever waits for its locks or for its end outlasts it and answers in time.
    static let apiIdleMax = Duration.milliseconds(1_500)
    /// What a statement of the node's own may take: some read or end a whole page of followers, and nobody waits.
    static let dutyStatementMax = Duration.seconds(5)

    /// For phones, who may leave before they are answered.
    let api: Pool
    /// For the node's own work and for operators.
    let duty: Pool
    /// For the journal.
    let journal: Pool
    /// For the progress of fan-outs.
    let progress: Pool

    /// Makes the pools; nothing is opened yet.
    init(_ database: ConnectionInfo) {
        api = Pool(
            database,
            size: Self.apiConnections,
            name: "api",
            bounds: .init(
                statementTimeout: Self.apiStatementMax,
                idleTimeout: Self.apiIdleMax,
                endsWithCaller: true
            )
        )
        let own = Pool.Bounds(statementTimeout: Self.dutyStatementMax)
        duty = Pool(database, size: Self.dutyConnections, name: "duty", bounds: own)
        journal = Pool(database, size: Self.journalConnections, name: "journal", bounds: own)
        progress = Pool(database, size: Self.progressConnections, name: "progress", bounds: own)
    }
}
