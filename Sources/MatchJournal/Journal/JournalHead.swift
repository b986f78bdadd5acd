// Where a match's journal stands.

public import MatchEngine
public import ScoreTypes

/// The newest revision of a match and what steers its publication.
public struct JournalHead: Sendable, Hashable {
    /// The match.
    public let match: MatchID
    /// The feed that it is read from.
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
    /// Whether its provider has dropped the match: before it began, or in play, which then has ended.
    public let isRemoved: Bool
    /// Since when an operator holds the match, by Postgres' clock; nil while nobody does.
    public let heldSince: Instant?
    /// The revision that the match shows while it is held; nil while nobody holds it.
    public let heldRevision: Int64?
    /// How long the match has been over, by Postgres' clock.
    public let overFor: Duration?
    /// When this was read, by Postgres' clock.
    public let readAt: Instant

    /// The revision that may be shown: of a held match the one that it was held at.
    var shownRevision: Int64 { heldRevision ?? revision.number }
}

/// A match as lists show it.
public struct MatchRow: Sendable, Hashable {
    /// Where its journal stands.
    public let head: JournalHead
    /// Start of play, when known.
    public let startsAt: Instant?
    /// End of play.
    public let overAt: Instant?
    /// A JSON object: teams, competition, format, score line.
    public let summary: [UInt8]
}
