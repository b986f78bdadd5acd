// Operators and metrics read the state of the arenas.

/// The state of a node's arenas.
public struct ArenaStatus: Sendable, Hashable {
    /// Matches that are open.
    public var matchCount = 0
    /// Tokens held for them.
    public var tokenCount = 0
    /// Memory of the tokens and their tables, in bytes.
    public var byteCount = 0
    /// Rejected tokens that wait to be ended in PostgreSQL.
    public var evictionsWaiting = 0
    /// Time since changes were last read completely; more than two seconds mean that the database is slow or blocked.
    public var lag: Duration = .zero
    /// Changes applied since the start.
    public var changesApplied = 0
}
