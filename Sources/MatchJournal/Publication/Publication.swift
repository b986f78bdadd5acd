// What all outlets take: one reply's head, rendered once.

public import MatchEngine
public import ScoreTypes

/// The words of an alert.
public struct PublicationAlert: Sendable, Hashable {
    /// Title, at most 48 characters.
    public let title: String
    /// Body, at most 120 characters.
    public let body: String
}

/// A match at a revision, ready for HTTP, stream and push; a pure function of the journal's rows.
public struct Publication: Sendable {
    /// The match.
    public let match: MatchID
    /// Lifetime and number of the revision.
    public let revision: Revision
    /// `aps.timestamp` in seconds since 1970; strictly increasing inside a match.
    public let apnsTimestamp: Int64
    /// The JSON of the content state, at most 3,500 bytes.
    public let contentState: [UInt8]
    /// FNV-1a of the content state without `rev`, and of the alert's key.
    ///
    /// A confirmation without an alert and a keep-alive have a hash of their own, so that whoever suppresses what is
    /// unchanged never swallows them.
    public let stateHash: UInt64
    /// Urgency towards APNs.
    public let priority: Moment.Priority
    /// Relevance, 0 to 100.
    public let relevance: Int
    /// What is told with a sound; nil for a silent publication.
    public let alert: PublicationAlert?
    /// The key of the moment that `alert` tells.
    public let alertKey: MomentKey?
    /// The revision that the alert was confirmed at; older than `revision` when it rides on a later state.
    ///
    /// Who is known to have been sent this revision or a later one must not be alerted again.
    public let alertRevision: Int64?
    /// Names this one telling: a key is told again when another person is out, and must not be taken for a repetition.
    public var alertID: String? {
        guard let alertKey, let alertRevision else { return nil }
        return Self.alertID(alertKey, at: alertRevision)
    }
    static func alertID(_ key: MomentKey, at revision: Int64) -> String { "\(key)@\(revision)" }
    /// What the alert tells, whatever ordinal it has by now.
    let alertHappening: MomentIdentity?
    /// Which alerts of the last minute, as `alertID` named them, still tell what happened; this one's among them.
    public let standingAlerts: Set<String>
    /// Whether play is over for the day, and the match is not.
    public var isBetweenDays: Bool { state.status.status.isBetweenDays }
    /// All moments that are told with this publication, in match order: for those who chose other alerts.
    public let told: [Moment]
    /// Scheduled, live, on a break, over.
    public let phase: MatchPhase
    /// When play was last over for a day, by Postgres' clock; nil on the first day.
    public let dayEndedAt: Instant?
    /// Whether nothing more is to come: the match is over and its result is confirmed.
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
    /// The same picture for apps that decode something else.
    public let other: OtherContent
}
