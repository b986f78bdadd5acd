// What a match's writer was told, in the order in which it was: played again it gives the same journal.

public import MatchEngine
public import ScoreTypes

/// One thing that a writer was told.
public struct CaptureEvent: Sendable {
    /// What it was.
    public enum Kind: Sendable {
        /// The writer read the journal: what it knew in memory alone is gone, and the gate's too when it is a new one.
        case opened(isNew: Bool)
        /// A picture of the match.
        case reply(SeenReply)
        /// A feed answered that nothing had changed.
        case unchanged(JournalSource)
        /// Time had passed, and led to an entry.
        case tick
        /// What operators say in place of the feed from now on.
        case overrides([MatchOverride])
        /// Entries that somebody other than a reply brought.
        case word([Change], JournalSource)
    }

    /// The match.
    public let match: MatchID
    /// The feed that the writer was made for.
    public let feed: FeedID
    /// Real time by a clock that never jumps.
    public let at: Duration
    /// The wall time that went with it.
    public let wall: Instant
    /// What it was.
    public let kind: Kind
    /// What the writer knew before; nil when nobody noted it.
    let standing: WriterStanding?

    /// Describes what a writer was told.
    public init(match: MatchID, feed: FeedID, at: Duration, wall: Instant, kind: Kind) {
        self.init(match: match, feed: feed, at: at, wall: wall, kind: kind, standing: nil)
    }

    init(match: MatchID, feed: FeedID, at: Duration, wall: Instant, kind: Kind, standing: WriterStanding?) {
        self.match = match
        self.feed = feed
        self.at = at
        self.wall = wall
        self.kind = kind
        self.standing = standing
    }
}
