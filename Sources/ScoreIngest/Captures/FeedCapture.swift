// A capture needs the tables of a feed and its unreadable replies beside the snapshots of matches.

public import MatchJournal
public import Providers
public import ScoreTypes

/// A session, unreadable replies or aliases of a feed.
public struct FeedCapture: Sendable {
    /// Which of them.
    public enum Kind: Sendable {
        /// The feed was opened; only the tables of the session are kept.
        case session(JournalSource, ProviderSession)
        /// Replies that could not be read, with the reason.
        case unreadable(MatchID?, ProviderReplies, reason: String)
        /// The alias table, after each change.
        case aliases(AliasTable)
    }

    /// The feed.
    public let feed: FeedID
    /// Wall time.
    public let wall: Instant
    /// Which of them.
    public let kind: Kind
}
