// All outlets take the same publication: the head of one reply, rendered once.

public import MatchEngine
public import ScoreTypes

/// The text of an alert.
public struct PublicationAlert: Sendable, Hashable {
    /// Title, at most 48 characters.
    public let title: String
    /// Body, at most 120 characters.
    public let body: String
}

/// A moment with the revision that confirmed it, which may be older than the publication that announces it.
public struct ConfirmedMoment: Sendable, Hashable {
    /// The moment.
    public let moment: Moment
    /// The revision that confirmed it; the same in every publication that announces it.
    public let revision: Int64
    /// When that revision was written, by Postgres' clock.
    public let at: Instant

    /// Makes the value from its fields.
    public init(_ moment: Moment, revision: Int64, at: Instant) {
        (self.moment, self.revision, self.at) = (moment, revision, at)
    }
}

/// A match at a revision, ready for HTTP, stream and push; a pure function of the journal's rows.
public struct Publication: Sendable {
    /// The match.
    public let match: MatchID
    /// Lifetime and number of the revision.
    public let revision: Revision
    /// The feed of the newest reply in it; nil only for a match that no feed has reported.
    public let feed: FeedID?
    /// `aps.timestamp` in seconds since 1970; strictly increasing inside a match.
    public let apnsTimestamp: Int64
    /// The JSON of the content state, at most 3,500 bytes.
    public let contentState: [UInt8]
    /// FNV-1a of the content state without `rev`, and of the alert's key.
    ///
    /// A confirmation without an alert and a keep-alive have hashes of their own, so that an outlet that suppresses
    /// unchanged states sends them.
    public let stateHash: UInt64
    /// Priority for APNs.
    public let priority: Moment.Priority
    /// Relevance, 0 to 100.
    public let relevance: Int
    /// The alert; nil for a silent publication.
    public let alert: PublicationAlert?
    /// The key of the moment of `alert`.
    public let alertKey: MomentKey?
    /// The revision at which the alert was confirmed; older than `revision` when a later state carries it.
    ///
    /// A device that was sent this revision or a later one must not be alerted again.
    public let alertRevision: Int64?
    /// Identifies this alert: after a reprieve the same key announces another person.
    public var alertID: String? {
        guard let alertKey, let alertRevision else { return nil }
        return Self.alertID(alertKey, at: alertRevision)
    }
    static func alertID(_ key: MomentKey, at revision: Int64) -> String { "\(key)@\(revision)" }
    /// The event of the alert, whatever its ordinal is by now.
    let alertMoment: MomentIdentity?
    /// The `alertID` of the alerts of the last minute that were not withdrawn, this one included.
    public let standingAlerts: Set<String>
    /// Whether play is over for the day, and the match is not over.
    public var isBetweenDays: Bool { state.status.status.isBetweenDays }
    /// All moments that this publication announces, in match order: followers may choose other alerts.
    public let announced: [ConfirmedMoment]
    /// Alerts of the last minutes that are not right any more, in order of the revisions that showed it.
    public let corrections: [AlertCorrection]
    /// Scheduled, live, on a break, over.
    public let phase: MatchPhase
    /// When play was last over for a day, by Postgres' clock; nil on the first day.
    public let dayEndedAt: Instant?
    /// Whether the match is over and its result is confirmed.
    public let isFinal: Bool
    /// Why the head is published.
    public let cause: PublicationCause
    /// When the feed's reply had been read, by the poller's clock.
    public let seenAt: Instant
    /// When the head was written, by Postgres' clock.
    public let committedAt: Instant
    /// The folded match, for scorecards.
    public let state: MatchState
    /// The match's frame.
    public let info: MatchInfo
    /// The JSON of the activity's static attributes.
    public let attributes: [UInt8]
    /// The content for apps that decode another layout.
    public let other: OtherContent
    /// The journal's entries since the publication before it on this node, up to `revision`, oldest first; at most
    /// `JournalLimits.publishedChanges`, and none in a publication that was only read.
    public var changes: [JournalEntry] = []
}
