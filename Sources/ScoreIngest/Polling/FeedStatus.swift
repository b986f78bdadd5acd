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
    /// Requests that were put off because the hour's budget was spent.
    public internal(set) var overBudget = 0
    /// The share of the budget that may be saved up and is there, 0 to 1; nil without a budget.
    public internal(set) var budgetLeft: Double?
    /// Whether the feed is signed in and its tables are read.
    public internal(set) var isOpen = false
    /// When the provider told of something by itself last.
    public internal(set) var lastNotice: Instant?
    /// Matches that are known ahead of their start.
    public internal(set) var upcoming = 0
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
