// What a feed brought beside the pictures of its matches: the tables that explain them, and what nobody could read.

public import MatchJournal
public import Providers
public import ScoreTypes

/// One thing that a feed brought.
public struct FeedCapture: Sendable {
    /// What it was.
    public enum Kind: Sendable {
        /// The feed was opened; of the session only the tables are kept.
        case session(JournalSource, ProviderSession)
        /// Replies that could not be read, and why.
        case unreadable(MatchID?, ProviderReplies, reason: String)
        /// The alias table, whenever it has changed.
        case aliases(AliasBook)
    }

    /// The feed.
    public let feed: FeedID
    /// When it came.
    public let wall: Instant
    /// What it was.
    public let kind: Kind

    /// Describes what a feed brought.
    public init(feed: FeedID, wall: Instant, kind: Kind) {
        self.feed = feed
        self.wall = wall
        self.kind = kind
    }
}
