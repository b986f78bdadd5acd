// The dispatcher's state as operators read it.

public import ScoreTypes

/// A snapshot of the dispatcher's state.
public struct DispatcherStatus: Sendable {
    /// One environment.
    public struct Environment: Sendable {
        /// APNs environment.
        public var environment: PushEnvironment
        /// Whether an operator has paused it.
        public var isPaused: Bool
        /// Why nothing can be sent, in one sentence; nil if it works.
        public var problem: String?
        /// Accepted requests since the start of the node.
        public var accepted: Int
        /// Rejected requests since the start of the node.
        public var rejected: Int
        /// Failed requests since the start of the node.
        public var failed: Int
        /// Requests that expired since the start of the node.
        public var expired: Int
        /// Connections and queues of all lanes.
        public var gauges: LaneGauges
        /// Bad tokens that were not quarantined because there were too many at once.
        public var quarantinesWithheld: Int
        /// Age of the provider token; nil if there is none.
        public var providerTokenAge: Duration?
        /// Provider tokens signed by this node.
        public var providerTokensMinted: Int
        /// The signing key's ten characters.
        public var keyID: String
        /// The host that pushes go to.
        public var host: String
        /// The topic of Live Activity pushes.
        public var topic: String
        /// Times from request to answer of the newest samples.
        public var roundTrips: RoundTrips
    }

    /// The first request of a publication to a token.
    public struct FirstRequest: Sendable, Hashable {
        /// The revision of the publication.
        public var revision: Int64
        /// Milliseconds from its commit.
        public var milliseconds: Int64
    }

    /// One match.
    public struct Match: Sendable {
        /// The match.
        public var match: MatchID
        /// The newest published revision; nil before the first.
        public var revision: Int64?
        /// A revision that waits for its time; nil for none.
        public var waitingRevision: Int64?
        /// Buckets that this node serves.
        public var bucketsServed: Int
        /// Buckets recorded at the newest published revision.
        public var bucketsCurrent: Int
        /// Publications that a newer one replaced before they were sent.
        public var superseded: Int
        /// Publications that were dropped as unchanged.
        public var unchanged: Int
        /// Activities that missed the newest state.
        public var exceptions: Int
        /// The first requests to tokens of the newest publications, oldest first.
        public var firstRequests: [FirstRequest]
        /// Their median in milliseconds from the commit; nil for none.
        public var firstRequestMedian: Int64?
    }

    /// The configured environments.
    public var environments: [Environment]
    /// The published matches.
    public var matches: [Match]
    /// Completed but unrecorded sends.
    public var unrecordedSends: Int
    /// Planned starts.
    public var startsWaiting: Int
    /// Ends that wait for another try.
    public var endsWaiting: Int
    /// The lanes of each environment.
    public var lanes: Int
}
