// All feeds of a node: one poller for each, and the orders of operators.

public import CurlTransfer
internal import Logging
public import Providers
public import ScoreTypes

/// Polls the configured feeds.
public actor IngestService {
    private let pollers: [FeedID: FeedPoller]

    /// Makes the pollers; nothing is sent before `run`.
    ///
    /// - Parameters:
    ///   - feeds: The feeds; the first of two with the same name counts.
    ///   - driver: Sends the requests.
    ///   - clock: Scales the intervals, and times replies.
    ///   - mayPoll: Whether this node holds the duty for a feed; called at most twice a second and feed.
    ///   - gained: Called when this node has got the duty for a feed.
    ///   - makeSink: Opens the sink of a feed for a match; called again after a sink has thrown, and when the duty is
    ///     back.
    ///   - unfinished: Reads the unfinished matches of a feed; called when this node has got the duty for it.
    ///   - aliases: The alias table as it is now.
    ///   - capture: Takes sessions, and replies that cannot be read.
    ///   - jitter: Draws from 0 to 1.
    public init(
        feeds: [FeedConfiguration],
        driver: TransferDriver,
        clock: ServiceClock,
        mayPoll: @escaping @Sendable (FeedID) async -> Bool,
        gained: @escaping @Sendable (FeedID) -> Void = { _ in },
        makeSink: @escaping @Sendable (MatchID, FeedID) async throws -> any ReplySink,
        unfinished: @escaping @Sendable (FeedID) async throws -> [UnfinishedMatch] = { _ in [] },
        aliases: @escaping @Sendable () -> AliasTable = { AliasTable() },
        capture: @escaping @Sendable (FeedCapture) -> Void = { _ in },
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        let dependencies = FeedPoller.Dependencies(
            driver: driver,
            clock: clock,
            mayPoll: mayPoll,
            gained: gained,
            makeSink: makeSink,
            unfinished: unfinished,
            aliases: aliases,
            capture: capture,
            jitter: jitter,
            logger: Logger(label: "score.ingest")
        )
        pollers = Dictionary(feeds.map { ($0.id, FeedPoller($0, dependencies)) }) { first, _ in first }
    }

    /// Polls until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for poller in pollers.values { group.addTask { await poller.run() } }
        }
    }

    /// Pauses these feeds and resumes all others.
    public func pause(only feeds: Set<FeedID>) async {
        for (feed, poller) in pollers { await poller.handle(.paused(feeds.contains(feed))) }
    }

    /// Pauses a feed, whose matches keep their last state, or resumes it.
    public func setPaused(_ isPaused: Bool, _ feed: FeedID) async { await pollers[feed]?.handle(.paused(isPaused)) }

    /// Reads the list and polls all matches of a feed at once, also during a pause that the provider requested.
    public func pollNow(_ feed: FeedID) async { await pollers[feed]?.handle(.pollNow) }

    /// Closes the breaker of a feed, and polls at once.
    public func resetBreaker(_ feed: FeedID) async { await pollers[feed]?.handle(.breakerReset) }

    /// Takes a push of a provider about a match; without a push the match is only polled at once.
    public func notice(_ feed: FeedID, _ match: ProviderMatchID, _ push: ProviderPush? = nil) async {
        await pollers[feed]?.notice(match, push)
    }

    /// Reads a match from all its feeds at once, and rebuilds it from the reply of the one that leads.
    public func resync(_ match: MatchID) async {
        for poller in pollers.values { await poller.handle(.resynced(match)) }
    }

    /// Whether a feed is configured here.
    public nonisolated func knows(_ feed: FeedID) -> Bool { pollers[feed] != nil }

    /// Whether this node polls a feed now.
    public func polls(_ feed: FeedID) async -> Bool { await pollers[feed]?.report().activity == .polling }

    /// The alias table has changed: matches go on under their new ids, and all lists are read at once.
    public func aliasesChanged() async {
        for poller in pollers.values { await poller.aliasesChanged() }
    }

    /// The status of all feeds, in order of their names.
    public func status() async -> [FeedStatus] {
        var found: [FeedStatus] = []
        for poller in pollers.values { found.append(await poller.report()) }
        return found.sorted { $0.feed < $1.feed }
    }
}
