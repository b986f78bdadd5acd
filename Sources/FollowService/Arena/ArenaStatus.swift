// What an operator sees of the arenas.

/// The state of a node's arenas.
public struct ArenaStatus: Sendable, Hashable {
    /// Matches that are open.
    public var matchCount = 0
    /// Tokens held for them.
    public var tokenCount = 0
    /// Memory of the tokens and their tables, in bytes.
    public var byteCount = 0
    /// Dead tokens that wait to be ended in Postgres.
    public var evictionsWaiting = 0
    /// Dead tokens that were not ended in Postgres because too many waited; APNs will name them again.
    public var evictionsDropped = 0
    /// Time since changes were last read completely; above two seconds something holds the database back.
    public var lag: Duration = .zero
    /// Changes applied since the start.
    public var changesApplied = 0
}
