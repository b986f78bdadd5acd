// One row of the journal, in the words of the engine.

public import MatchEngine
public import ScoreTypes

/// One change with its revision.
public struct JournalEntry: Sendable, Hashable {
    /// The number of the revision inside the match.
    public let revision: Int64
    /// When it was written, by Postgres' clock.
    public let at: Instant
    /// What changed.
    public let change: Change

    /// Makes an entry.
    public init(revision: Int64, at: Instant, change: Change) {
        self.revision = revision
        self.at = at
        self.change = change
    }
}
