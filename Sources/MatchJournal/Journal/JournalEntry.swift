// A row of the journal, as the engine reads it.

public import MatchEngine
public import ScoreTypes

/// One change with its revision.
public struct JournalEntry: Sendable, Hashable {
    /// The number of the revision inside the match.
    public let revision: Int64
    /// When it was written, by Postgres' clock.
    public let at: Instant
    /// The change.
    public let change: Change
    /// The ball before a correction or deletion, where it was read with the entry; nil for another change.
    public internal(set) var before: Delivery?
}

/// One entry with its origin and time: the first of a ball has the time when it was first reported.
public struct JournalStatement: Sendable, Hashable {
    /// The entry.
    public let entry: JournalEntry
    /// Its origin.
    public let source: JournalSource
    /// When the reply had been read; nil for an entry without one.
    public let seenAt: Instant?

    /// The change as JSON, with the keys of each object in order.
    public var body: [UInt8] { (try? ChangeCoding.canonical(entry.change)) ?? Array("{}".utf8) }
}
