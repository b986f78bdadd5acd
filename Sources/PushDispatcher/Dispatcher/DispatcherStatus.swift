// What operators see of the way from the journal to Apple.

public import ScoreTypes

/// The dispatcher at a moment.
public struct DispatcherStatus: Sendable {
    /// One environment.
    public struct Environment: Sendable {
        /// Apple's world.
        public var environment: PushEnvironment
        /// Stopped by an operator.
        public var isPaused: Bool
        /// Why nothing can be sent, in one sentence; nil when all is well.
        public var problem: String?
        /// Requests that APNs took since this node started.
        public var accepted: Int
        /// Requests that were refused for good.
        public var rejected: Int
        /// Requests that failed for the time being.
        public var failed: Int
        /// Requests that were given up since this node started because they had become too old to be of use.
        public var expired: Int
        /// Connection slots, and how many of them are open.
        public var connections: Int
        /// Open connections.
        public var connectionsOpen: Int
        /// Requests under way.
        public var streamsInUse: Int
        /// Requests that APNs allows at once.
        public var streamsAllowed: Int
        /// Lanes whose breaker is not closed.
        public var breakersOpen: Int
        /// Starts, ends, notifications and broadcasts that wait for a stream.
        public var directedWaiting: Int
        /// Tokens that wait for another try.
        public var retriesWaiting: Int
        /// Bad tokens that were not quarantined because there were too many at once.
        public var quarantinesWithheld: Int
        /// Age of the provider token; nil when there is none.
        public var providerTokenAge: Duration?
        /// Provider tokens signed by this node.
        public var providerTokensMinted: Int
    }

    /// One match.
    public struct Match: Sendable {
        /// The match.
        public var match: MatchID
        /// The newest launched revision; nil before the first.
        public var revision: Int64?
        /// A revision that waits for its time.
        public var waitingRevision: Int64?
        /// Buckets that this node serves.
        public var bucketsServed: Int
        /// Buckets recorded at the newest launched revision.
        public var bucketsCurrent: Int
        /// Publications that a newer one replaced before they went out.
        public var superseded: Int
        /// Publications that showed nothing new.
        public var unchanged: Int
        /// Activities that missed the newest state.
        public var exceptions: Int
    }

    /// The environments that are served.
    public var environments: [Environment]
    /// The matches that were published.
    public var matches: [Match]
    /// The newest refusals, oldest first.
    public var recentRejections: [RecentRejection]
    /// Sends that are complete but not recorded.
    public var unrecordedSends: Int
    /// Starts that wait for their moment.
    public var startsWaiting: Int
    /// Ends that wait for another try.
    public var endsWaiting: Int
}
