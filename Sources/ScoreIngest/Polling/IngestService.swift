// All feeds of a node: one poller for each, and the handles that operators have.

public import CurlTransfer
internal import Logging
public import Providers
public import ScoreTypes

/// Polls the configured feeds until it is cancelled.
public actor IngestService {
    private let pollers: [FeedID: FeedPoller]

    /// Sets the pollers up; nothing is sent before `run`.
    ///
    /// - Parameters:
    ///   - feeds: The feeds; the first of two with the same name counts.
    ///   - driver: Sends the requests.
    ///   - clock: Scales the intervals; tells the time of replies.
    ///   - mayPoll: Whether this node holds the duty for a feed; asked at most twice a second and feed.
    ///   - gained: Told when this node has got the duty for a feed.
    ///   - makeSink: Opens the writer of a match; asked anew after each failure of a writer and each change of duty.
    ///   - unfinished: The matches of a feed that have not ended, asked once when this node has got the duty for it.
    ///   - aliases: The alias table as it is now.
    ///   - capture: Keeps sessions and replies that cannot be read.
    ///   - jitter: Draws from 0 to 1.
    public init(
        feeds: [FeedConfiguration],
        driver: TransferDriver,
        clock: ServiceClock,
        mayPoll: @escaping @Sendable (FeedID) async -> Bool,
        gained: @escaping @Sendable (FeedID) -> Void = { _ in },
        makeSink: @escaping @Sendable (MatchID, FeedID) async throws -> any ReplySink,
        unfinished: @escaping @Sendable (FeedID) async throws -> [UnfinishedMatch] = { _ in [] },
        aliases: @escaping @Sendable () -> AliasBook = { AliasBook() },
        capture: @escaping @Sendable (FeedCapture) -> Void = { _ in },
        jitter: @escaping @Sendable () -> Double = { Double.random(in: 0...1) }
    ) {
        let surroundings = FeedPoller.Surroundings(
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
        pollers = Dictionary(feeds.map { ($0.id, FeedPoller($0, in: surroundings)) }) { first, _ in first }
    }

    /// Polls until the task is cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            for poller in pollers.values { group.addTask { await poller.run() } }
        }
    }

    /// Pauses these feeds and no others, as operators have it at this moment.
    public func pause(only feeds: Set<FeedID>) async {
        for (feed, poller) in pollers { await poller.setPaused(feeds.contains(feed)) }
    }

    /// Stops asking a feed; matches keep their last state.
    ///
    /// - Returns: False for a feed that is not configured.
    @discardableResult
    public func pause(_ feed: FeedID) async -> Bool { await with(feed) { await $0.setPaused(true) } }

    /// Asks a feed again.
    ///
    /// - Returns: False for a feed that is not configured.
    @discardableResult
    public func resume(_ feed: FeedID) async -> Bool { await with(feed) { await $0.setPaused(false) } }

    /// Asks for the list and all polled matches of a feed at once.
    ///
    /// - Returns: False for a feed that is not configured.
    @discardableResult
    public func pollNow(_ feed: FeedID) async -> Bool { await with(feed) { await $0.pollNow() } }

    /// Closes the breaker of a feed and asks at once.
    ///
    /// - Returns: False for a feed that is not configured.
    @discardableResult
    public func resetBreaker(_ feed: FeedID) async -> Bool { await with(feed) { await $0.resetBreaker() } }

    /// Takes what a provider has told by itself.
    ///
    /// - Parameters:
    ///   - feed: Whose notice it is.
    ///   - match: The match as the provider names it.
    ///   - push: What came; nil only has the match asked for at once.
    /// - Returns: False for a match that this node does not poll.
    @discardableResult
    public func notice(_ feed: FeedID, _ match: ProviderMatchID, _ push: ProviderPush? = nil) async -> Bool {
        guard let poller = pollers[feed] else { return false }
        return await poller.notice(match, push)
    }

    /// Whether a feed is configured here.
    public nonisolated func knows(_ feed: FeedID) -> Bool { pollers[feed] != nil }

    /// Whether this node polls a feed now.
    public func polls(_ feed: FeedID) async -> Bool { await pollers[feed]?.report().activity == .polling }

    /// Has all lists read again, as after a change of the alias table.
    public func aliasesChanged() async {
        for poller in pollers.values {
            await poller.rename()
            await poller.wakeList()
        }
    }

    /// How all feeds are doing, in order of their names.
    public func status() async -> [FeedStatus] {
        var found: [FeedStatus] = []
        for poller in pollers.values { found.append(await poller.report()) }
        return found.sorted { $0.feed < $1.feed }
    }

    private func with(_ feed: FeedID, _ body: (FeedPoller) async -> Void) async -> Bool {
        guard let poller = pollers[feed] else { return false }
        await body(poller)
        return true
    }
}
