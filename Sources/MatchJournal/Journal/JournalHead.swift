// The head of a journal orders writers and publishers.

public import MatchEngine
public import ScoreTypes

/// The newest revision of a match, and what decides about its publication.
public struct JournalHead: Sendable, Hashable {
    /// The match.
    public let match: MatchID
    /// The feed that reported the match first.
    public let feed: FeedID
    /// Lifetime and number of the newest revision; number 0 before the first append.
    public let revision: Revision
    /// The newest `aps.timestamp`, in seconds since 1970; 0 before the first append.
    public let apnsTimestamp: Int64
    /// Scheduled, live, on a break, over.
    public let phase: MatchPhase
    /// Why an operator holds the match; nothing is published meanwhile.
    public let heldReason: String?
    /// Since when no feed has answered about the match although it is in play; nil while one does.
    public let silentSince: Instant?
    /// When its provider removed the match, before it began or after its end, by Postgres' clock; nil while it is
    /// listed.
    public let removedAt: Instant?
    /// Since when an operator holds the match, by Postgres' clock; nil while it is not held.
    public let heldSince: Instant?
    /// The revision that a held match shows; nil while it is not held.
    public let heldRevision: Int64?
    /// How long the match has been over, by Postgres' clock.
    public let overFor: Duration?
    /// When this was read, by Postgres' clock.
    public let readAt: Instant

    /// Whether its provider has removed the match: before it began, or in play, which then has ended.
    public var isRemoved: Bool { removedAt != nil }
    /// The revision that may be shown; for a held match the one at which it was held.
    var shownRevision: Int64 { heldRevision ?? revision.number }
}

/// A match as lists show it.
public struct MatchRow: Sendable, Hashable {
    /// The head of its journal.
    public let head: JournalHead
    /// Start of play, when known.
    public let startsAt: Instant?
    /// End of play.
    public let overAt: Instant?
    /// A JSON object: teams, competition, format, score line.
    public let summary: [UInt8]
}
