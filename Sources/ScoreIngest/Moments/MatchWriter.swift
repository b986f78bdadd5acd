// The one who writes a match: every reply, confirmation and keep-alive goes through here, one after the other.

public import MatchEngine
public import Postgres
public import ScoreTypes

/// Turns replies about one match into its journal.
public actor MatchWriter {
    /// The match.
    public nonisolated let match: MatchID
    private let feed: FeedID
    private let journal: Journal
    private let clock: ServiceClock
    private let options: EngineOptions
    private let fence: @Sendable () -> Fence?
    private let newEpoch: @Sendable () -> Epoch
    private let committed: @Sendable (MatchID) -> Void
    private let metrics = WriterMetrics()
    private var gate = Gate()
    private var state: WriterState?
    private var turn = Turn()

    /// Makes a writer; the journal is read at its first use.
    ///
    /// - Parameters:
    ///   - match: The match that is written.
    ///   - feed: The feed that it is read from.
    ///   - journal: Where to.
    ///   - fence: Term and lease for each write; nil means that this node is not trusted now, and nothing is written.
    ///   - clock: Measures what waits.
    ///   - options: How matches are told; the same for writers and publishers of all nodes.
    ///   - newEpoch: Draws the epoch of a match that was not known.
    ///   - committed: Called after each commit, to wake the publisher of this node.
    public init(
        match: MatchID,
        feed: FeedID,
        journal: Journal,
        fence: @escaping @Sendable () -> Fence?,
        clock: ServiceClock,
        options: EngineOptions = EngineOptions(),
        newEpoch: @escaping @Sendable () -> Epoch = { MatchWriter.randomEpoch() },
        committed: @escaping @Sendable (MatchID) -> Void = { _ in }
    ) {
        self.match = match
        self.feed = feed
        self.journal = journal
        self.fence = fence
        self.clock = clock
        self.options = options
        self.newEpoch = newEpoch
        self.committed = committed
    }

    /// An epoch drawn from the system's generator.
    public static func randomEpoch() -> Epoch {
        var generator = SystemRandomNumberGenerator()
        return Epoch(using: &generator)
    }

    /// Takes a reply: judges it, writes what it changed and what it made certain.
    ///
    /// - Throws: `JournalError`; the reply then counts as not seen, and may be given again.
    public func accept(_ snapshot: MatchSnapshot, seenAt: Instant) async throws(JournalError) -> Acceptance {
        try await enter()
        defer { turn.leave() }
        var verdict = Verdict.apply
        var judged = gate
        let written = try await write { state in
            judged = gate
            let changes = Differ.changes(from: state.replica.record, to: snapshot)
            verdict = judged.judge(changes, of: snapshot, against: state.replica.record)
            guard verdict == .apply else { return WriterState.Plan(append: nil, after: state) }
            return state.plan(for: .reply(changes, seenAt: seenAt), now: clock.monotonic)
        }
        gate = judged
        switch verdict {
        case .hold(let reason): return .held(reason)
        case .drop(let reason): return .dropped(reason)
        case .apply: return written.map { .applied($0) } ?? .unchanged
        }
    }

    /// Takes note that the feed has answered and nothing had changed (304): what waits was seen again.
    public func unchanged(seenAt: Instant) async throws(JournalError) {
        try await enter()
        defer { turn.leave() }
        _ = try await write { $0.plan(for: .reply([], seenAt: seenAt), now: clock.monotonic) }
    }

    /// Confirms what has waited long enough, and keeps a waiting match alive.
    ///
    /// - Returns: Real time until the next call is of use; nil when only a reply can bring something.
    public func tick() async throws(JournalError) -> Duration? {
        try await enter()
        defer { turn.leave() }
        _ = try await write { $0.plan(for: .time(clock.wall), now: clock.monotonic) }
        return state?.wait(now: clock.monotonic)
    }

    private func enter() async throws(JournalError) {
        if turn.takeIfFree() { return }
        if turn.isFull { throw .busy }
        await withCheckedContinuation { turn.wait($0) }
    }

    /// Appends what `decide` asks for; a head that had moved, or a commit of unknown fate, is read again once.
    ///
    /// - Returns: The new head; nil when there was nothing to write.
    private func write(_ decide: (WriterState) -> WriterState.Plan) async throws(JournalError) -> Revision? {
        var isFirst = true
        while true {
            let plan = decide(try await current())
            guard let append = plan.append else {
                state = plan.after
                return nil
            }
            do throws(JournalError) {
                guard let fence = fence() else { throw .fenced }
                return adopt(plan, revision: try await journal.append(append, fence: fence).revision)
            } catch {
                guard error.asksForReload else { throw error }
                state = nil
                metrics.reloaded()
                // Whatever the error said: what stands in the journal was written, and must not be written twice.
                let stored = try await journal.entries(of: match, after: append.expected, limit: append.changes.count)
                if stored.map(\.change) == append.changes {
                    let epoch = plan.after.revision.epoch
                    return adopt(plan, revision: Revision(epoch: epoch, number: append.revision))
                }
                guard isFirst else { throw error }
                isFirst = false
            }
        }
    }

    private func adopt(_ plan: WriterState.Plan, revision: Revision) -> Revision {
        state = plan.after
        state?.revision = revision
        if let append = plan.append { metrics.appended(append) }
        committed(match)
        return revision
    }

    private func current() async throws(JournalError) -> WriterState {
        if let state { return state }
        let loaded = try await load()
        state = loaded
        return loaded
    }

    private func load() async throws(JournalError) -> WriterState {
        let head = try await journal.open(match, feed: feed, epoch: newEpoch())
        var replica = MatchReplica(options: options)
        var number: Int64 = 0
        try await journal.follow(match, with: &replica, from: &number, through: head.revision.number)
        let told = try await journal.told(of: match)
        let age = try await journal.sincePublication(of: match)
        let now = clock.monotonic
        return WriterState(
            match: match,
            revision: Revision(epoch: head.revision.epoch, number: number),
            replica: replica,
            life: MomentLife(
                told: told,
                moments: replica.state.moments,
                record: replica.record,
                now: now,
                patience: MomentPatience(clock)
            ),
            keepAlive: KeepAlive(
                every: clock.real(KeepAlive.interval, floor: KeepAlive.floor),
                lastPublication: now - (age ?? .zero)
            )
        )
    }
}

extension MatchWriter: ReplySink {}

extension JournalError {
    /// Whether the head may have moved.
    fileprivate var asksForReload: Bool {
        if case .conflict = self { return true }
        return isAmbiguous
    }
}
