// Time goes on for a match that nobody polls: an operator's word begins and ends, a silence is told.

internal import Logging
internal import MatchEngine
public import MatchJournal
public import ScoreTypes
internal import Synchronization

/// Ticks the writers of matches whose pollers cannot: of a feed that is down, paused or gone, and of what has ended.
///
/// ```
/// this node gains a feed's duty ──▶ the feed's matches in play, and those that operators speak of, are kept
/// in play, and its feed is in no node's settings ──▶ kept until the silence is told, by whichever node comes first
/// an operator says or lifts something ──▶ that match is kept
/// its writer has nothing to wait for, or the duty is another node's ──▶ it is let go
/// ```
public actor MatchKeeper {
    /// Real time after which what failed is tried again.
    static let retryInterval: Duration = .seconds(1)
    /// The same for a match of a feed that no node polls, when another node had the turn; and between two looks for
    /// such matches, so that their silence is told within a minute or so.
    static let strayInterval: Duration = .seconds(30)
    /// Shortest real time between two looks at a match, whatever its writer asks for.
    static let sleepFloor: Duration = .milliseconds(10)
    /// Real time that passes at most before the keeper looks at its own list again.
    static let idle: Duration = .seconds(3_600)

    private let journal: Journal
    private let sources: SourceDesk
    private let clock: ServiceClock
    private let polled: Set<FeedID>
    private let acquire: @Sendable (FeedID) async -> Bool
    private let release: @Sendable (FeedID) async -> Void
    private nonisolated let calls = Mutex(KeeperCalls())
    private let signal = WakeSignal()
    private var kept: [MatchID: KeptMatch] = [:]

    /// Makes a keeper; nothing is done before `run`.
    ///
    /// - Parameters:
    ///   - journal: What matches there are, and what operators say of them.
    ///   - sources: The writers of this node.
    ///   - clock: Measures what waits.
    ///   - polled: The feeds that this node is configured for.
    ///   - acquire: Takes the duty for a feed, or tells that this node has it.
    ///   - release: Gives back the duty for a feed that this node does not poll.
    public init(
        journal: Journal,
        sources: SourceDesk,
        clock: ServiceClock,
        polled: Set<FeedID>,
        acquire: @escaping @Sendable (FeedID) async -> Bool,
        release: @escaping @Sendable (FeedID) async -> Void = { _ in }
    ) {
        self.journal = journal
        self.sources = sources
        self.clock = clock
        self.polled = polled
        self.acquire = acquire
        self.release = release
    }

    /// What operators say of a match has changed.
    public nonisolated func attend(_ match: MatchID) { call { $0.attend(match) } }

    /// What operators say may have changed unheard.
    public nonisolated func attendAll() { call { $0.all = true } }

    /// This node has got the duty for a feed; whoever had it may be dead.
    public nonisolated func gained(_ feed: FeedID) { call { $0.gained.insert(feed) } }

    /// There may be matches whose feed no node polls.
    nonisolated func seekStrays() { call { $0.strays = true } }

    /// Keeps matches until cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                while !Task.isCancelled {
                    self.seekStrays()
                    try? await Task.sleep(for: Self.strayInterval)
                }
            }
            while !Task.isCancelled { _ = await signal.sleep(await round()) }
        }
    }

    /// Does what is due; returns the real time until something is again.
    func round() async -> Duration {
        var calls = calls.withLock { calls in
            defer { calls = KeeperCalls() }
            return calls
        }
        do {
            for feed in calls.gained.sorted() { try await takeUp(feed) }
            if calls.all { for found in try await journal.overridden() { await look(found.match, isCalled: true) } }
            if calls.strays { calls.matches.formUnion(try await strays()) }
            for match in calls.matches.sorted() { await look(match, isCalled: true) }
        } catch {
            log("matches not taken up", error)
            self.calls.withLock { $0.join(calls) }
            return Self.retryInterval
        }
        let now = clock.monotonic
        for (match, kept) in kept.sorted(by: { $0.key < $1.key }) where kept.due <= now {
            await look(match, isCalled: kept.isCalled)
        }
        let next = kept.values.map(\.due).min().map { $0 - clock.monotonic } ?? Self.idle
        return min(max(next, Self.sleepFloor), Self.idle)
    }

    /// Keeps what a feed has in play and what operators say otherwise of it; writers that nobody holds are old.
    private func takeUp(_ feed: FeedID) async throws(JournalError) {
        let heads = try await journal.heads(overWithin: .zero)
        let inPlay = heads.filter { $0.feed == feed && $0.isInPlay }.map(\.match)
        let overridden = try await journal.overridden().filter { $0.feed == feed }.map(\.match)
        for match in Set(inPlay + overridden).sorted() {
            await sources.leave(match)
            await look(match, feed, isCalled: false)
        }
    }

    /// Matches in play whose feed this node does not know, unless some node polls it or their silence is told.
    private func strays() async throws(JournalError) -> Set<MatchID> {
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

    /// Looks at a match whose feed is in the journal.
    private func look(_ match: MatchID, isCalled: Bool) async {
        do {
            if let feed = kept[match]?.feed { return await look(match, feed, isCalled: isCalled) }
            guard let head = try await journal.head(of: match) else { return kept[match] = nil }
            await look(match, head.feed, isCalled: isCalled)
        } catch { again(match, nil, isCalled, error) }
    }

    private func look(_ match: MatchID, _ feed: FeedID, isCalled: Bool) async {
        do {
            guard polled.contains(feed) else { return try await lookAtStray(match, feed) }
            // Whoever has the duty heard the same call, and looks when it gains the duty.
            guard await acquire(feed) else {
                await sources.leave(match)
                return kept[match] = nil
            }
            if let wait = try await sources.tick(match, feed: feed, isSteered: isCalled) {
                kept[match] = KeptMatch(feed: feed, due: clock.monotonic + max(wait, Self.sleepFloor))
            } else {
                await sources.leave(match)
                kept[match] = nil
            }
        } catch {
            await sources.leave(match)
            again(match, feed, isCalled, error)
        }
    }

    /// A match of a feed that this node does not know has no duty: whichever node comes first writes what has changed,
    /// and tells that nobody reports the match.
    private func lookAtStray(_ match: MatchID, _ feed: FeedID) async throws(JournalError) {
        var waits: [Duration] = []
        if await acquire(feed) {
            let ticked: Result<Duration?, JournalError>
            do throws(JournalError) { ticked = .success(try await tickStray(match, feed)) } catch {
                ticked = .failure(error)
            }
            await release(feed)
            if let wait = try ticked.get() { waits.append(wait) }
        } else {
            // Somebody polls it, and heard what this node's writer did not.
            await sources.leave(match)
        }
        if let found = try await journal.overridden(match).first {
            let wait = found.endsAt - clock.wall
            waits.append(wait > .zero ? wait : Self.strayInterval)
        }
        guard let wait = waits.min() else {
            await sources.leave(match)
            return kept[match] = nil
        }
        kept[match] = KeptMatch(feed: feed, due: clock.monotonic + max(wait, Self.sleepFloor), isCalled: true)
    }

    /// Lets time pass for a match that nobody polls; one that another feed has told of since is that feed's.
    private func tickStray(_ match: MatchID, _ feed: FeedID) async throws(JournalError) -> Duration? {
        let speaker = try await journal.lastFeed(of: match).flatMap { FeedID($0) } ?? feed
        var isUnheard = speaker == feed
        if !isUnheard, !polled.contains(speaker) { isUnheard = await acquire(speaker) }
        guard isUnheard else {
            await sources.leave(match)
            try await sources.steer(match, feed: feed)
            return nil
        }
        let ticked: Result<Duration?, JournalError>
        do throws(JournalError) {
            ticked = .success(try await sources.tick(match, feed: feed, isSteered: true))
        } catch {
            ticked = .failure(error)
        }
        if speaker != feed { await release(speaker) }
        return try ticked.get()
    }

    private func again(_ match: MatchID, _ feed: FeedID?, _ isCalled: Bool, _ error: JournalError) {
        log("match not kept", error, match)
        kept[match] = KeptMatch(feed: feed, due: clock.monotonic + Self.retryInterval, isCalled: isCalled)
    }

    private func log(_ what: Logger.Message, _ error: JournalError, _ match: MatchID? = nil) {
        var metadata: Logger.Metadata = ["reason": "\(error)"]
        if let match { metadata["match"] = "\(match)" }
        Logger(label: "score.ingest").warning(what, metadata: metadata)
    }

    private nonisolated func call(_ note: (inout KeeperCalls) -> Void) {
        calls.withLock { note(&$0) }
        signal.fire()
    }
}

extension JournalHead {
    /// Whether balls are to be expected, or the end of a break.
    fileprivate var isInPlay: Bool { phase == .live || phase == .onBreak }
}

/// A match that is kept.
private struct KeptMatch: Sendable {
    /// nil when the journal could not be asked whose it is.
    let feed: FeedID?
    /// Real time by a clock that never jumps.
    let due: Duration
    /// Whether what operators say has to be read again.
    var isCalled = false
}

/// What a keeper was told since it looked last.
private struct KeeperCalls: Sendable {
    /// Calls about single matches; beyond it all are looked at.
    static let matchesMax = 1_024

    var matches: Set<MatchID> = []
    var gained: Set<FeedID> = []
    var all = false
    var strays = false

    mutating func attend(_ match: MatchID) {
        if matches.count >= Self.matchesMax { all = true } else { matches.insert(match) }
    }

    mutating func join(_ earlier: KeeperCalls) {
        matches.formUnion(earlier.matches)
        gained.formUnion(earlier.gained)
        all = all || earlier.all
        strays = strays || earlier.strays
    }
}
