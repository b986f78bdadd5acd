// Overrides end and silences are reported also for matches that no poller ticks.

internal import Logging
internal import MatchEngine
public import MatchJournal
public import ScoreTypes
internal import Synchronization

/// Ticks matches whose pollers cannot: of a feed that is down, paused or not configured, and matches that have ended.
///
/// ```
/// this node gains the duty for a feed ──▶ the feed's matches in play and with overrides are ticked
/// an operator sets or lifts an override ──▶ that match is ticked
/// an operator orders to publish a match again ──▶ that is done, with further attempts after a failure
/// in play, and its feed is in no node's settings (an orphan) ──▶ ticked until its silence is reported, by any node
/// its writer waits for nothing, or the duty is another node's ──▶ ticked no more
/// ```
public actor MatchTicker {
    private let journal: Journal
    private let intakes: MatchIntakes
    private let clock: ServiceClock
    private let polled: Set<FeedID>
    private let acquire: @Sendable (FeedID) async -> Bool
    private let release: @Sendable (FeedID) async -> Void
    /// Calls since the last round.
    private nonisolated let calls = Mutex(Set<Call>())
    private let signal = WakeSignal()
    private var ticked: [MatchID: TickedMatch] = [:]

    private enum Call: Hashable {
        /// The overrides of a match, or of any match, may have changed.
        case overrides(of: MatchID)
        case anyOverrides
        /// This node has got the duty for a feed.
        case gained(FeedID)
        /// There may be matches in play whose feed no node polls.
        case orphans
        /// The present state of a match is to be published again, before this time of the monotonic clock.
        case republish(MatchID, until: Duration)
    }

    /// A match that is ticked.
    private struct TickedMatch {
        /// nil when the journal could not be read.
        let feed: FeedID?
        /// Real time of a clock that never jumps.
        let due: Duration
        /// Whether its overrides have to be read again.
        let isCalled: Bool
    }

    /// Makes a ticker; nothing is done before `run`.
    ///
    /// - Parameters:
    ///   - journal: The matches and their overrides.
    ///   - intakes: The intakes of this node.
    ///   - clock: Measures waits.
    ///   - polled: The feeds that this node is configured for.
    ///   - acquire: Acquires the duty for a feed; true when this node has it.
    ///   - release: Releases the duty for a feed that this node does not poll.
    public init(
        journal: Journal,
        intakes: MatchIntakes,
        clock: ServiceClock,
        polled: Set<FeedID>,
        acquire: @escaping @Sendable (FeedID) async -> Bool,
        release: @escaping @Sendable (FeedID) async -> Void = { _ in }
    ) {
        self.journal = journal
        self.intakes = intakes
        self.clock = clock
        self.polled = polled
        self.acquire = acquire
        self.release = release
    }

    /// The overrides of a match have changed.
    public nonisolated func overridesChanged(_ match: MatchID) { call(.overrides(of: match)) }

    /// Publishes the present state of a match again, on the node that may write it; other nodes do nothing.
    nonisolated func republish(_ match: MatchID) {
        call(.republish(match, until: clock.monotonic + IngestLimits.republishPatience))
    }

    /// Overrides of any match may have changed: notifications may have been lost.
    public nonisolated func anyOverridesChanged() { call(.anyOverrides) }

    /// This node has got the duty for a feed; the node that had it may be dead.
    public nonisolated func gained(_ feed: FeedID) { call(.gained(feed)) }

    /// There may be matches in play whose feed no node polls.
    nonisolated func findOrphans() { call(.orphans) }

    private nonisolated func call(_ call: Call) {
        calls.withLock { calls in
            let isFull = calls.count >= IngestLimits.tickerCallsMax
            switch call {
            case .overrides where isFull: calls.insert(.anyOverrides)
            case .republish where isFull: break
            default: calls.insert(call)
            }
        }
        signal.fire()
    }

    /// Ticks matches until cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    self.findOrphans()
                    try? await Task.sleep(for: IngestLimits.orphanInterval)
                }
            }
            while !Task.isCancelled { _ = await signal.sleep(await round()) }
        }
    }

    /// Does what is due; returns the real time until something is due again.
    func round() async -> Duration {
        let calls = calls.withLock { calls in
            defer { calls = [] }
            return calls
        }
        do {
            try await carryOut(calls)
        } catch {
            log("matches not taken over", error)
            self.calls.withLock { $0.formUnion(calls) }
            return IngestLimits.tickRetryInterval
        }
        let failed = await publishAll(calls)
        self.calls.withLock { $0.formUnion(failed) }
        let now = clock.monotonic
        for (match, found) in ticked.sorted(by: { $0.key < $1.key }) where found.due <= now {
            await tick(match, isCalled: found.isCalled)
        }
        let next = ticked.values.map(\.due).min().map { $0 - clock.monotonic } ?? IngestLimits.idleMax
        let wait = failed.isEmpty ? next : min(next, IngestLimits.tickRetryInterval)
        return min(max(wait, IngestLimits.sleepMin), IngestLimits.idleMax)
    }

    /// Publishes the present state of matches again; an order whose time is over is dropped.
    ///
    /// - Returns: The orders that failed.
    private func publishAll(_ calls: Set<Call>) async -> Set<Call> {
        var orders: [MatchID: Duration] = [:]
        for case .republish(let match, let until) in calls { orders[match] = max(until, orders[match] ?? until) }
        var failed: Set<Call> = []
        for (match, until) in orders.sorted(by: { $0.key < $1.key }) where clock.monotonic < until {
            do {
                try await publishAgain(match)
            } catch {
                log("not published again", error, match)
                failed.insert(.republish(match, until: until))
            }
        }
        return failed
    }

    private func publishAgain(_ match: MatchID) async throws(JournalError) {
        guard let head = try await journal.head(of: match), await acquire(head.feed) else { return }
        if polled.contains(head.feed) { return try await intakes.intake(of: match, head.feed).republish() }
        _ = try await releasing(head.feed) { () async throws(JournalError) in
            try await intakes.intake(of: match, head.feed).republish()
            return nil
        }
    }

    private func carryOut(_ calls: Set<Call>) async throws(JournalError) {
        let gained = calls.compactMap { if case .gained(let feed) = $0 { feed } else { nil } }
        for feed in gained.sorted() { try await takeOver(feed) }
        if calls.contains(.anyOverrides) {
            for found in try await journal.overridden() { await tick(found.match, isCalled: true) }
        }
        let called = calls.compactMap { if case .overrides(let match) = $0 { match } else { nil } }
        let orphans = calls.contains(.orphans) ? try await orphans() : []
        for match in orphans.union(called).sorted() { await tick(match, isCalled: true) }
    }

    /// Ticks the matches in play and the overridden matches of a feed; intakes that no poller holds are old.
    private func takeOver(_ feed: FeedID) async throws(JournalError) {
        let heads = try await journal.heads(overWithin: .zero)
        let inPlay = heads.filter { $0.feed == feed && $0.isInPlay }.map(\.match)
        let overridden = try await journal.overridden().filter { $0.feed == feed }.map(\.match)
        for match in Set(inPlay + overridden).sorted() {
            await intakes.release(match)
            await tick(match, feed, isCalled: false)
        }
    }

    /// Matches in play whose feed this node does not have, unless some node polls it or their silence is reported.
    private func orphans() async throws(JournalError) -> Set<MatchID> {
        let heads = try await journal.heads(overWithin: .zero).filter { head in
            head.isInPlay && !head.isRemoved && head.silentSince == nil && !polled.contains(head.feed)
        }
        var found: Set<MatchID> = []
        for (feed, heads) in Dictionary(grouping: heads, by: \.feed) where await acquire(feed) {
            await release(feed)
            found.formUnion(heads.map(\.match))
        }
        return found
    }

    /// Ticks a match whose feed is in the journal; `isCalled` has its overrides read again.
    private func tick(_ match: MatchID, isCalled: Bool) async {
        do {
            if let feed = ticked[match]?.feed { return await tick(match, feed, isCalled: isCalled) }
            guard let head = try await journal.head(of: match) else { return ticked[match] = nil }
            await tick(match, head.feed, isCalled: isCalled)
        } catch { retry(match, nil, isCalled, error) }
    }

    private func tick(_ match: MatchID, _ feed: FeedID, isCalled: Bool) async {
        do {
            guard polled.contains(feed) else { return try await tickOrphan(match, feed) }
            // The node with the duty got the same call, and ticks when it gains the duty.
            guard await acquire(feed) else { return await end(match) }
            guard let wait = try await intakes.tick(match, feed: feed, isSteered: isCalled) else {
                return await end(match)
            }
            schedule(match, feed, after: wait, isCalled: false)
        } catch {
            await intakes.release(match)
            retry(match, feed, isCalled, error)
        }
    }

    /// A match of a feed that this node does not have has no duty: the first node to acquire it writes what has
    /// changed, and reports its silence.
    private func tickOrphan(_ match: MatchID, _ feed: FeedID) async throws(JournalError) {
        var waits: [Duration] = []
        if await acquire(feed) {
            let wait = try await releasing(feed) { () async throws(JournalError) in
                try await tickUnlessReported(match, feed)
            }
            if let wait { waits.append(wait) }
        } else {
            // A node polls it, and got what this node's writer did not.
            await intakes.release(match)
        }
        if let found = try await journal.overridden(match).first {
            let wait = found.endsAt - clock.wall
            waits.append(wait > .zero ? wait : IngestLimits.orphanInterval)
        }
        guard let wait = waits.min() else { return await end(match) }
        schedule(match, feed, after: wait, isCalled: true)
    }

    /// Ticks a match unless another feed leads it by the journal, and that one is polled.
    private func tickUnlessReported(_ match: MatchID, _ feed: FeedID) async throws(JournalError) -> Duration? {
        let leader = try await journal.lastFeed(of: match).flatMap { FeedID($0) } ?? feed
        if leader == feed { return try await intakes.tick(match, feed: feed, isSteered: true) }
        guard !polled.contains(leader), await acquire(leader) else {
            await intakes.release(match)
            try await intakes.intake(of: match, feed).steer()
            return nil
        }
        return try await releasing(leader) { () async throws(JournalError) in
            try await intakes.tick(match, feed: feed, isSteered: true)
        }
    }

    /// Releases a duty after a body, whatever that throws.
    private func releasing(
        _ feed: FeedID,
        _ body: () async throws(JournalError) -> Duration?
    ) async throws(JournalError) -> Duration? {
        let result: Result<Duration?, JournalError>
        do throws(JournalError) { result = .success(try await body()) } catch { result = .failure(error) }
        await release(feed)
        return try result.get()
    }

    private func schedule(_ match: MatchID, _ feed: FeedID?, after wait: Duration, isCalled: Bool) {
        let due = clock.monotonic + max(wait, IngestLimits.sleepMin)
        ticked[match] = TickedMatch(feed: feed, due: due, isCalled: isCalled)
    }

    private func end(_ match: MatchID) async {
        await intakes.release(match)
        ticked[match] = nil
    }

    private func retry(_ match: MatchID, _ feed: FeedID?, _ isCalled: Bool, _ error: JournalError) {
        log("timed change of a match not written", error, match)
        schedule(match, feed, after: IngestLimits.tickRetryInterval, isCalled: isCalled)
    }

    private func log(_ message: Logger.Message, _ error: JournalError, _ match: MatchID? = nil) {
        var metadata: Logger.Metadata = ["reason": "\(error)"]
        if let match { metadata["match.id"] = "\(match)" }
        Logger(label: "score.ingest").warning(message, metadata: metadata)
    }
}

extension JournalHead {
    /// Whether balls are expected, or the end of a break.
    fileprivate var isInPlay: Bool { phase == .live || phase == .onBreak }
}
