// The choice among several feeds of a match depends on the feeds that the journal names.

public import MatchEngine
public import ScoreTypes

/// A match as its journal has it, with the feeds that it came from.
public struct StoredMatch: Sendable {
    /// Frame, balls, status.
    public let record: MatchRecord
    /// The feed that reported the match first; nil when the journal does not say.
    public let home: FeedID?
    /// The feed of the last balls or innings; nil before the first.
    public let feed: FeedID?
    /// The feed of the last accepted report, an entry of a list included; nil when it was removed since, or for none.
    public let reporter: FeedID?

    init(_ state: WriterState) {
        record = state.replica.record
        home = state.home.flatMap { FeedID($0) }
        feed = state.feed.flatMap { FeedID($0) }
        reporter = state.isRemoved ? nil : state.reporter.flatMap { FeedID($0) }
    }
}

extension MatchRecord {
    /// Whether an entry of a list describes this match well enough to change it: it has sides and format, and the match
    /// has not begun.
    public func accepts(_ fixture: Fixture) -> Bool {
        Announcement.frame(of: fixture, over: self, feed: nil) != nil
    }
}
