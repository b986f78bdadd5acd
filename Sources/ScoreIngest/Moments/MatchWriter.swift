// The one who writes a match: every reply, confirmation and keep-alive goes through here, one after the other.

public import MatchEngine
public import Postgres
public import ScoreTypes

/// Turns replies about one match into its journal.
public actor MatchWriter {
    /// How often operators' overrides are read again, in real time: a lost notification costs no more.
    static let overridesEvery: Duration = .seconds(30)

    /// Calls that may wait for another one to finish: a poller, a ticker and an operator are three.
    static let lockWaitersMax = 8

    /// The match.
    public nonisolated let match: MatchID
    let feed: FeedID
    let journal: Journal
    let clock: ServiceClock
    let options: EngineOptions
    let fence: @Sendable () -> Fence?
    private let newEpoch: @Sendable () -> Epoch
    private let committed: @Sendable (MatchID) -> Void
    /// Told of everything that may change the journal, in the order in which it did; nil when nothing is captured.
    let record: (@Sendable (CaptureEvent) -> Void)?
    private let metrics = WriterMetrics()
    private var gate: Gate
    var state: WriterState?
    /// Held by the call that writes: calls of an actor interleave where they await.
    private let lock = AsyncMutex(waitersMax: lockWaitersMax)
    var overridesReadAt: Duration?
    /// Real time after its last answer until the feed is asked again.
    private var interval: Duration = .zero
    private var hasOpened = false
    /// What was known before the last decision, for captures alone.
    private var standing: WriterStanding?

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
    ///   - record: Keeps captures.
    ///   - committed: Called after each commit, to wake the publisher of this node.
    public init(
        match: MatchID,
        feed: FeedID,
        journal: Journal,
        fence: @escaping @Sendable () -> Fence?,
        clock: ServiceClock,
        options: EngineOptions = EngineOptions(),
        newEpoch: @escaping @Sendable () -> Epoch = { MatchWriter.randomEpoch() },
        record: (@Sendable (CaptureEvent) -> Void)? = nil,
        committed: @escaping @Sendable (MatchID) -> Void = { _ in }
    ) {
        self.match = match
        self.feed = feed
        self.journal = journal
        self.fence = fence
        self.clock = clock
        gate = Gate(clock)
        self.options = options
        self.newEpoch = newEpoch
        self.record = record
        self.committed = committed
    }

    /// An epoch drawn from the system's generator.
    public static func randomEpoch() -> Epoch {
        var generator = SystemRandomNumberGenerator()
        return Epoch(using: &generator)
    }

    /// Takes a reply: judges it, writes what it changed and what it made certain.
    ///
    /// - Parameter reply: The picture and whose it is.
    /// - Returns: What became of it.
    /// - Throws: `JournalError`; the reply then counts as not seen, and may be given again.
    public func accept(_ reply: SeenReply) async throws(JournalError) -> Acceptance {
        try await enter()
        defer { lock.unlock() }
        let now = clock.monotonic
        var judgement = ReplyJudgement(gate)
        let written = try await write(now) { state in
            judgement = ReplyJudgement(gate)
            return judgement.plan(for: reply, state, now: now)
        }
        gate = judgement.gate
        note(now, reply.seenAt, .reply(reply))
        if judgement.verdict == .apply { try await bringBack() }
        switch judgement.verdict {
        case .hold(let reason): return .held(reason)
        case .drop(let reason): return .dropped(reason)
        case .apply: return written.map { .applied($0) } ?? .unchanged
        }
    }

    /// Takes note that a feed has answered and nothing had changed (304): what waits was seen again.
    ///
    /// - Parameters:
    ///   - seenAt: When it had answered.
    ///   - source: Whose answer it was; nil for the feed that the writer was made for.
    /// - Throws: `JournalError`.
    public func unchanged(seenAt: Instant, source: JournalSource? = nil) async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let now = clock.monotonic
        let source = source ?? JournalSource(provider: "", feed: feed.text)
        _ = try await write(now) { state in
            let isBroken = state.isSilenceBroken(byAnswerAt: now)
            return state.plan(for: .init(kind: isBroken ? .catchUp : .reply, at: seenAt, source: source), now: now)
        }
        note(now, seenAt, .unchanged(source))
    }

    /// Confirms what has waited long enough, keeps a waiting match alive, ends overrides, notes a silence.
    ///
    /// - Returns: Real time until the next call is of use; nil when only a reply can bring something.
    /// - Throws: `JournalError`.
    public func tick() async throws(JournalError) -> Duration? {
        try await enter()
        defer { lock.unlock() }
        let now = clock.monotonic
        if let readAt = overridesReadAt, now - readAt >= Self.overridesEvery { try await readOverrides(now) }
        let wall = clock.wall
        let written = try await write(now) { state in
            state.overridden(at: wall, now: now) ?? state.plan(for: .init(kind: .time, at: wall), now: now)
        }
        if written != nil { note(now, wall, .tick) }
        try await forgetEnded(at: wall, now)
        try await noteSilence(now)
        return state?.wait(now: now, wall: wall, interval: interval)
    }

    /// Reads again what operators say, and writes what it changes.
    ///
    /// - Throws: `JournalError`.
    public func steer() async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let now = clock.monotonic
        _ = try await current(now)
        try await readOverrides(now)
        let wall = clock.wall
        let written = try await write(now) { $0.overridden(at: wall, now: now) ?? .init(append: nil, after: $0) }
        if written != nil { note(now, wall, .tick) }
        try await forgetEnded(at: wall, now)
    }

    /// Takes what a list of matches says about one that has not begun.
    ///
    /// - Parameters:
    ///   - fixture: The entry of the list.
    ///   - source: Whose list it is.
    /// - Throws: `JournalError`.
    public func announce(_ fixture: Fixture, source: JournalSource) async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let (now, wall) = (clock.monotonic, clock.wall)
        var changes: [Change] = []
        let written = try await write(now) { state in
            changes = []
            var plan = WriterState.Plan(append: nil, after: state)
            let record = state.replica.record
            let named = state.names(of: fixture.teams, from: source)?.apply(to: fixture) ?? fixture
            guard let told = Announcement.frame(of: named, over: record, feed: state.feedFrame) else { return plan }
            changes = told.with(state.overrides, at: wall).changes(from: record)
            if !changes.isEmpty {
                plan = state.plan(for: .init(kind: .word, changes: changes, at: wall, source: source), now: now)
            }
            plan.after.hear(told)
            plan.after.teller = source.feed
            return plan
        }
        guard written != nil else { return try await bringBack() }
        note(now, wall, .word(changes, source))
    }

    /// The match as the journal has it.
    ///
    /// - Returns: Frame, balls, status.
    /// - Throws: `JournalError`.
    public func known() async throws(JournalError) -> MatchRecord {
        try await enter()
        defer { lock.unlock() }
        return try await current(clock.monotonic).replica.record
    }

    /// Takes note that the provider does not know the match any more.
    ///
    /// What has begun is ended first, as if it were abandoned, so that no activity stays that nobody will update; what
    /// is over keeps its card. What an operator says of its status stands as long as it was said for: then the match
    /// ends, and keeps its card.
    ///
    /// - Throws: `JournalError`.
    public func removed() async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let (now, wall) = (clock.monotonic, clock.wall)
        let known = try await current(now)
        if known.dropped(at: wall, now: now) != nil {
            let written = try await write(now) { state in
                state.dropped(at: wall, now: now) ?? .init(append: nil, after: state)
            }
            note(now, wall, .word([.status(StatusReport(status: .abandoned))], .server))
            if written == nil || state?.replica.record.isInPlay == true { return }
        } else if PollPhase(of: known.replica.record.status.status) == .over {
            return
        }
        guard let fence = fence() else { throw .fenced }
        try await journal.remove(match, fence: fence)
        state?.isRemoved = true
        committed(match)
    }

    /// A match that was dropped and is heard of again comes back, also when nothing of it has changed meanwhile.
    private func bringBack() async throws(JournalError) {
        guard state?.isRemoved == true else { return }
        guard let fence = fence() else { throw .fenced }
        try await journal.restore(match, fence: fence)
        state?.isRemoved = false
        committed(match)
    }

    private func enter() async throws(JournalError) {
        guard await lock.lock() else { throw .busy }
    }

    /// Appends what `decide` asks for; a head that had moved, or a commit of unknown fate, is read again once.
    ///
    /// - Returns: The new head; nil when there was nothing to write.
    private func write(
        _ now: Duration,
        _ decide: (WriterState) -> WriterState.Plan
    ) async throws(JournalError) -> Revision? {
        var isFirst = true
        while true {
            let before = try await current(now)
            noteStanding()
            let plan = decide(before)
            // First: what is hidden and not kept could never come back.
            try await keep(plan.after.heard(since: before))
            guard let append = plan.append else {
                // What was called silent and has answered without news is called so no more.
                if before.silence.since != nil && plan.after.silence.since == nil { try await tellSilence(nil) }
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

    /// Notes what is known before it is changed.
    func noteStanding() {
        if record != nil { standing = state.map { WriterStanding(state: $0, gate: gate) } }
    }

    func note(_ now: Duration, _ wall: Instant, _ kind: CaptureEvent.Kind) {
        record?(CaptureEvent(match: match, feed: feed, at: now, wall: wall, kind: kind, standing: standing))
        standing = nil
    }

    private func adopt(_ plan: WriterState.Plan, revision: Revision) -> Revision {
        state = plan.after
        state?.revision = revision
        state?.isRemoved = false
        if let append = plan.append { metrics.appended(append) }
        committed(match)
        return revision
    }

    private func noteSilence(_ now: Duration) async throws(JournalError) {
        guard let state, state.waitForSilence(now: now, wall: clock.wall, interval: interval) == .zero else { return }
        let since = clock.wall + (.zero - (now - state.silence.lastAnswer))
        try await tellSilence(since)
        self.state?.silence.told(since: since)
    }

    private func tellSilence(_ since: Instant?) async throws(JournalError) {
        guard let fence = fence() else { throw .fenced }
        try await journal.setSilent(match, since: since, fence: fence)
        committed(match)
    }

    private func current(_ now: Duration) async throws(JournalError) -> WriterState {
        if let state { return state }
        let head = try await journal.open(match, feed: feed, epoch: newEpoch())
        var loaded = try await WriterState(head, journal: journal, options: options, clock: clock, now: now)
        loaded.take(try await journal.storedOverrides(of: match))
        overridesReadAt = now
        state = loaded
        noteStanding()
        note(now, clock.wall, .opened(isNew: !hasOpened))
        hasOpened = true
        if !loaded.overrides.isEmpty { note(now, clock.wall, .overrides(loaded.overrides)) }
        return loaded
    }
}

extension MatchWriter {
    /// Whether a moment waits that another answer would settle.
    public var wantsLook: Bool { state?.life.wantsLook ?? false }

    /// Takes note of when the feed is polled again, in real time: before that it is not silent while the match rests.
    func isPolledAgain(in interval: Duration) { self.interval = interval }
}

extension MatchRecord {
    /// Whether play has begun and is not over.
    var isInPlay: Bool { isInPlay(by: status) }

    /// The same by another word than the one that stands.
    func isInPlay(by told: StatusReport) -> Bool {
        switch PollPhase(of: told.status) {
        case .before: !deliveries.isEmpty
        case .live, .pause, .overnight: true
        case .over: false
        }
    }
}

extension JournalError {
    /// Whether the head may have moved.
    fileprivate var asksForReload: Bool {
        if case .conflict = self { return true }
        return isAmbiguous
    }
}
