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

/// One entry with who said it and when: the first of a ball tells when it was first seen, the last when it changed.
public struct JournalStatement: Sendable, Hashable {
    /// What was said.
    public let entry: JournalEntry
    /// Who said it.
    public let source: JournalSource
    /// When the reply that said it had been read; nil in journals of older servers.
    public let seenAt: Instant?

    /// The change as JSON, with the keys of each object in order.
    public var body: [UInt8] { (try? ChangeCoding.canonical(entry.change)) ?? Array("{}".utf8) }
}
