// The state of a feed, as the console and the API show it.

public import ScoreTypes

/// The state of a feed at one moment.
public struct FeedStatus: Sendable, Hashable {
    /// The node that polls a feed.
    public enum Activity: String, Sendable, Hashable {
        /// This node.
        case polling
        /// Another node.
        case standby
        /// None: an operator has paused it.
        case paused
    }

    /// The feed.
    public let feed: FeedID
    /// The node that polls it.
    public internal(set) var activity = Activity.standby
    /// The state of its circuit breaker.
    public internal(set) var breaker = CircuitBreaker.State.closed
    /// When an answer could be read last.
    public internal(set) var lastSuccess: Instant?
    /// Why a request failed last: a label of the metric of requests, with the HTTP status or the place in the reply.
    public internal(set) var lastFailureReason: String?
    /// Failed requests and unreadable replies since the last reply that was read or unchanged.
    public internal(set) var consecutiveFailures = 0
    /// Requests since the start of this process.
    public internal(set) var requests = 0
    /// Bytes of bodies since the start of this process.
    public internal(set) var bytes = 0
    /// Requests that were put off because the budget was spent.
    public internal(set) var overBudget = 0
    /// How full the budget is, 0 to 1; nil without a budget.
    public internal(set) var budgetLeft: Double?
    /// Whether there is a session: the feed is signed in and its tables are read.
    public internal(set) var isOpen = false
    /// When the provider pushed something last.
    public internal(set) var lastNotice: Instant?
    /// Matches that are announced and not polled yet.
    public internal(set) var upcoming = 0
    /// Replies that could not be read.
    public internal(set) var unreadable = 0
    /// Replies that the gate held or dropped.
    public internal(set) var notAccepted = 0
    /// Real time until the next poll of the match that was polled last; nil when none is polled.
    public internal(set) var pollInterval: Duration?
    /// The matches that are polled now, in order of their ids.
    public internal(set) var matches: [MatchID] = []

    /// A feed that was not polled yet.
    init(feed: FeedID) { self.feed = feed }
}
