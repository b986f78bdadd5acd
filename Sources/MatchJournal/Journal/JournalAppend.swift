// All that one transaction writes; it is made whole before the transaction begins.

public import MatchEngine
public import ScoreTypes

/// A moment that was told, so that it is never told again.
public struct ToldMoment: Sendable, Hashable, Codable {
    /// The moment's key.
    public let key: MomentKey
    /// The person or side that it was told about.
    public let subject: String
}

/// What the match's own row shows after an append.
public struct MatchFacts: Sendable, Hashable {
    /// Scheduled, live, on a break, over.
    public let phase: MatchPhase
    /// Start of play, when known.
    public let startsAt: Instant?
    /// A JSON object for lists of matches.
    public let summary: [UInt8]

    /// Makes the facts.
    public init(phase: MatchPhase, startsAt: Instant?, summary: [UInt8]) {
        self.phase = phase
        self.startsAt = startsAt
        self.summary = summary
    }
}

/// The changes of one reply, confirmation or keep-alive, and the publication at their head.
public struct JournalAppend: Sendable {
    /// The match.
    public let match: MatchID
    /// The head that the changes were worked out against.
    public let expected: Int64
    /// At least one; each gets a revision.
    public let changes: [Change]
    /// When the feed's reply had been read.
    public let seenAt: Instant
    /// 5 or 10.
    public let priority: Moment.Priority
    /// The moment to tell with a sound.
    public let alertKey: MomentKey?
    /// Why it is published.
    public let cause: PublicationCause
    /// Every moment whose key is spent by this append, told aloud or not.
    public let told: [ToldMoment]
    /// The match's own row.
    public let facts: MatchFacts
    /// Who said it.
    public let source: JournalSource

    /// Makes an append.
    public init(
        match: MatchID,
        expected: Int64,
        changes: [Change],
        seenAt: Instant,
        priority: Moment.Priority = .five,
        alertKey: MomentKey? = nil,
        cause: PublicationCause,
        told: [ToldMoment] = [],
        facts: MatchFacts,
        source: JournalSource = .server
    ) {
        self.match = match
        self.expected = expected
        self.changes = changes
        self.seenAt = seenAt
        self.priority = priority
        self.alertKey = alertKey
        self.cause = cause
        self.told = told
        self.facts = facts
        self.source = source
    }

    /// The revision that the append makes the head.
    public var revision: Int64 { expected &+ Int64(changes.count) }
}
