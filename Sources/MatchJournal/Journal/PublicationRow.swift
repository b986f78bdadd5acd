// The durable intent to publish, as it is stored; publications are rendered from such rows.

internal import MatchEngine
public import ScoreTypes

/// Why something is published.
public enum PublicationCause: String, Sendable, Hashable, CaseIterable {
    /// A reply changed the match.
    case reply
    /// A moment is confirmed; there may be changes too.
    case confirmation
    /// Nothing changed, but a break lasts.
    case keepAlive

    /// Whether it must reach phones even if they would draw the same (PUBLICATION section 2).
    var isSentUnchanged: Bool { self != .reply }
}

/// One row of `publication`.
public struct PublicationRow: Sendable, Hashable {
    /// The revision that is published.
    public let revision: Int64
    /// `aps.timestamp` in seconds since 1970; strictly increasing inside a match.
    public let apnsTimestamp: Int64
    /// When it was written, by Postgres' clock.
    public let at: Instant
    /// When the feed's reply that led to it had been read, by the poller's clock.
    public let seenAt: Instant
    /// 5 or 10.
    public let priority: Int
    /// The key of the moment of the alert.
    public let alertKey: String?
    /// Why it is published.
    public let cause: PublicationCause
    /// The feed of the newest reply in it; empty for a match that no feed has reported.
    public internal(set) var feed = ""
    /// The moments whose keys were spent with it, the alert's included.
    public internal(set) var announced: [AnnouncedMoment] = []

    /// The moment of the alert, with the person or side that it is about.
    var alert: AnnouncedMoment? { announced.first { $0.key.text == alertKey } }
}
