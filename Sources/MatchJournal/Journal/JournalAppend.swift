// A transaction is prepared as a value before it begins.

internal import Logging
public import MatchEngine
public import ScoreTypes

/// An announced moment, which is never announced again.
public struct AnnouncedMoment: Sendable, Hashable, Codable {
    /// The moment's key.
    public let key: MomentKey
    /// The person or side that it is about.
    public let subject: String

    /// Makes the value from its fields.
    public init(key: MomentKey, subject: String) { (self.key, self.subject) = (key, subject) }
}

/// The columns of the match's row after an append.
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
    /// The head that the changes were computed for.
    public let expected: Int64
    /// At least one; each gets a revision.
    public let changes: [Change]
    /// When the feed's reply had been read.
    public let seenAt: Instant
    /// The priority of the publication.
    public let priority: Moment.Priority
    /// The moment of the alert; nil for a silent publication.
    public let alertKey: MomentKey?
    /// Why it is published.
    public let cause: PublicationCause
    /// Every moment whose key this append spends, announced or too old for it.
    public let announced: [AnnouncedMoment]
    /// The match's own row.
    public let facts: MatchFacts
    /// The origin of the changes.
    public let source: JournalSource
    /// The epoch in which the match goes on; nil for the present one.
    public var epoch: Epoch?

    /// Makes an append.
    public init(
        match: MatchID,
        expected: Int64,
        changes: [Change],
        seenAt: Instant,
        priority: Moment.Priority = .five,
        alertKey: MomentKey? = nil,
        cause: PublicationCause,
        announced: [AnnouncedMoment] = [],
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
        self.announced = announced
        self.facts = facts
        self.source = source
    }

    /// The fields of its line in the log.
    var logFields: Logger.Metadata {
        [
            "match.id": "\(match)", "rev": "\(revision)", "rev.first": "\(expected &+ 1)", "cause": "\(cause.rawValue)",
            "feed": "\(source.feed)", "alert": "\(alertKey != nil)",
            "trace": "\(RevisionTrace(match, revision: revision))",
        ]
    }

    /// The revision that the append makes the head.
    public var revision: Int64 { expected &+ Int64(changes.count) }
}
