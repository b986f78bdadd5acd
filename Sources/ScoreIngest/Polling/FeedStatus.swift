// What an operator sees of a feed.

public import ScoreTypes

/// How a feed is doing, at one moment.
public struct FeedStatus: Sendable, Hashable {
    /// What is done about it.
    public enum Activity: String, Sendable, Hashable {
        /// It is polled by this node.
        case polling
        /// Another node polls it.
        case standby
        /// An operator has paused it.
        case paused
    }

    /// The feed.
    public let feed: FeedID
    /// What is done about it.
    public internal(set) var activity = Activity.standby
    /// What its breaker lets through.
    public internal(set) var breaker = CircuitBreaker.State.closed
    /// When the last usable answer had been read.
    public internal(set) var lastSuccess: Instant?
    /// When the last request failed.
    public internal(set) var lastFailure: Instant?
    /// Why it failed: a word of the metric of requests, and the place in the reply if there is one.
    public internal(set) var lastFailureReason: String?
    /// Requests since the start of this process.
    public internal(set) var requests = 0
    /// Bytes of bodies since the start of this process.
    public internal(set) var bytes = 0
    /// Replies that could not be read.
    public internal(set) var unreadable = 0
    /// Replies that the gate held or dropped.
    public internal(set) var doubted = 0
    /// Real time between the polls of its busiest match; nil when none is polled.
    public internal(set) var pollInterval: Duration?
    /// The matches that are polled now, in order of their ids.
    public internal(set) var matches: [MatchID] = []

    /// A feed of which nothing is known yet.
    init(feed: FeedID) { self.feed = feed }
}
