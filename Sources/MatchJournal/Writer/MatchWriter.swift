// Every reply, confirmation and keep-alive of a match is written here, one after the other.

internal import Logging
public import MatchEngine
public import Postgres
public import ScoreTypes

/// Turns replies about one match into its journal.
public actor MatchWriter {
    private typealias Written = (decision: WriterState.Decision, revision: Revision?)

    /// The match.
    public nonisolated let match: MatchID
    /// The feed that it was made for.
    public nonisolated let feed: FeedID
    let journal: Journal
    let clock: ServiceClock
    let options: EngineOptions
    let fence: @Sendable () -> Fence?
    private let committed: @Sendable (MatchID) -> Void
    /// The known mistakes of the feeds, from which the waits of moments follow.
    private let evidence: CorrectionEvidence
    /// Called with every event that may change the journal, in order; nil when nothing is captured.
    let record: (@Sendable (CaptureEvent) -> Void)?
    private let metrics = WriterMetrics()
    private let log = Logger(label: "score.journal")
    /// The gate of the last state: its memory outlives a reload.
    private var gate: Gate
    var state: WriterState? {
        didSet { if let state { gate = state.gate } }
    }
    /// Held by the call that writes: calls of an actor interleave where they await.
    private let lock = AsyncMutex(waitersMax: JournalLimits.waitingCalls)
    var overridesReadAt: Duration?
    /// Real time from the last answer of the feed to the next poll.
    private var interval: Duration = .zero
    /// The state before the last decision, for captures alone.
    private var stateBefore: WriterState?

    /// Makes a writer; the journal is read at its first use.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - feed: Its feed in the journal, if it is new there.
    ///   - journal: The journal.
    ///   - fence: Term and lease for each write; nil means that this node is not trusted now, and nothing is written.
    ///   - clock: Scales and measures waits.
    ///   - options: The wording of states and moments; the same for writers and publishers of all nodes.
    ///   - evidence: How long feeds leave mistakes; receives what the match shows about its feed.
    ///   - record: Receives events for captures.
    ///   - committed: Called after each commit, to wake the publisher of this node.
    public init(
        match: MatchID,
        feed: FeedID,
        journal: Journal,
        fence: @escaping @Sendable () -> Fence?,
        clock: ServiceClock,
        options: EngineOptions = EngineOptions(),
        evidence: CorrectionEvidence = CorrectionEvidence(),
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
        self.evidence = evidence
        self.record = record
        self.committed = committed
    }

    /// An epoch drawn from the system's generator.
    public static func randomEpoch() -> Epoch {
        var generator = SystemRandomNumberGenerator()
        return Epoch(using: &generator)
    }

    /// Judges a reply, and appends its changes and the moments that it confirms.
    ///
    /// - Throws: `JournalError`; the reply then counts as not seen, and may be given again.
    public func accept(_ reply: SeenReply) async throws(JournalError) -> Acceptance {
        try await enter()
        defer { lock.unlock() }
        let now = clock.monotonic
        let (decision, revision) = try await write(now) { $0.decide(.reply(reply), at: reply.seenAt, now: now) }
        note(now, reply.seenAt, .event(.reply(reply)))
        if decision.revives { try await bringBack() }
        return Acceptance(decision.verdict, revision: revision)
    }

    /// Appends the changes of a decision; after a conflict or a commit of unknown outcome the head is read again, once.
    private func write(
        _ now: Duration,
        _ decide: (WriterState) -> WriterState.Decision
    ) async throws(JournalError) -> Written {
        var isFirst = true
        while true {
            let before = try await current(now)
            noteStateBefore()
            let decision = decide(before)
            // A feed's value that an override hides is stored first: it could not be restored later.
            try await keep(decision.after.feedValues.filter { before.feedValues[$0.key] != $0.value })
            guard let append = decision.append else {
                // The feed of a match that is marked silent has replied without news: the mark is removed.
                if before.silence.since != nil && decision.after.silence.since == nil {
                    try await markSilent(since: nil)
                }
                state = decision.after
                observe(decision)
                return (decision, nil)
            }
            do throws(JournalError) {
                guard let fence = fence() else { throw .fenced }
                return adopt(decision, revision: try await journal.append(append, fence: fence).revision)
            } catch {
                guard error.asksForReload else { throw error }
                state = nil
                metrics.reloaded()
                // Changes in the journal were committed, whatever the error is, and must not be appended twice.
                let stored = try await journal.entries(of: match, after: append.expected, limit: append.changes.count)
                if stored.map(\.change) == append.changes {
                    let epoch = decision.after.revision.epoch
                    return adopt(decision, revision: Revision(epoch: epoch, number: append.revision))
                }
                guard isFirst else { throw error }
                isFirst = false
            }
        }
    }

    private func adopt(_ decision: WriterState.Decision, revision: Revision) -> Written {
        var after = decision.after
        after.revision = revision
        after.isRemoved = false
        state = after
        if let append = decision.append {
            metrics.appended(append)
            log.debug("journal.committed", metadata: append.logFields)
        }
        observe(decision)
        committed(match)
        return (decision, revision)
    }

    /// Adds what a decision that counts shows about the feed of the match.
    private func observe(_ decision: WriterState.Decision) {
        guard !decision.observations.isEmpty else { return }
        evidence.take(decision.observations, of: match, from: state?.feed.map { FeedID(unchecked: $0) } ?? feed)
    }

    /// Records that a feed has nothing new (304): pending moments count as seen again.
    ///
    /// - Throws: `JournalError`.
    public func unchanged(seenAt: Instant, source: JournalSource) async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let now = clock.monotonic
        _ = try await write(now) { $0.decide(.unchanged(source), at: seenAt, now: now) }
        note(now, seenAt, .event(.unchanged(source)))
    }

    /// Compares a reply of a feed that does not lead the match with the pending moments; those that it has are
    /// confirmed.
    ///
    /// - Throws: `JournalError`.
    public func second(_ reply: SeenReply) async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let now = clock.monotonic
        let moments = try await current(now).pending(reportedBy: reply)
        guard !moments.isEmpty else { return }
        _ = try await write(now) { $0.decide(.seconded(moments), at: reply.seenAt, now: now) }
        note(now, reply.seenAt, .event(.seconded(moments)))
    }

    /// Confirms pending moments by time, publishes a keep-alive, ends overrides, reports a silence.
    ///
    /// - Returns: Real time until the next call is of use; nil when only a reply may have something.
    /// - Throws: `JournalError`.
    public func tick() async throws(JournalError) -> Duration? {
        try await enter()
        defer { lock.unlock() }
        let now = clock.monotonic
        if let readAt = overridesReadAt, now - readAt >= JournalLimits.overridesInterval {
            try await readOverrides(now)
        }
        let wall = clock.wall
        let written = try await write(now) { $0.decide(.time, at: wall, now: now) }
        if written.revision != nil { note(now, wall, .event(.time)) }
        try await forgetEnded(at: wall, now)
        try await noteSilence(now)
        return state?.wait(now: now, wall: wall, interval: interval)
    }

    /// Reads the overrides again, and writes the changes.
    ///
    /// - Throws: `JournalError`.
    public func steer() async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let now = clock.monotonic
        _ = try await current(now)
        try await readOverrides(now)
        let wall = clock.wall
        let written = try await write(now) { $0.overridden(at: wall, now: now) ?? .init(after: $0) }
        if written.revision != nil { note(now, wall, .event(.time)) }
        try await forgetEnded(at: wall, now)
    }

    /// Writes the entry of a feed's list about a match that has not begun.
    ///
    /// - Throws: `JournalError`.
    public func announce(_ fixture: Fixture, source: JournalSource) async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let (now, wall) = (clock.monotonic, clock.wall)
        let (decision, revision) = try await write(now) {
            $0.decide(.listed(fixture, source), at: wall, now: now)
        }
        guard revision != nil, let append = decision.append else { return try await bringBack() }
        note(now, wall, .event(.changes(append.changes, source)))
    }

    /// Publishes the present state again, so that every phone receives it, also those that show it already.
    ///
    /// - Throws: `JournalError`.
    public func republish() async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let (now, wall) = (clock.monotonic, clock.wall)
        guard try await current(now).replica.record.info != nil else { return }
        let event = WriterState.Event.changes([.keepAlive], .server)
        let (_, revision) = try await write(now) { $0.decide(event, at: wall, now: now) }
        if revision != nil { note(now, wall, .event(event)) }
    }

    /// The match as the journal has it, with its feeds.
    ///
    /// - Throws: `JournalError`.
    public func stored() async throws(JournalError) -> StoredMatch {
        try await enter()
        defer { lock.unlock() }
        return StoredMatch(try await current(clock.monotonic))
    }

    /// Removes a match that its provider does not know any more.
    ///
    /// A match in play ends first, as abandoned, so that no activity stays without updates; a match that is over keeps
    /// its card. An override of its status lasts to its end: then the match ends, and keeps its card.
    ///
    /// - Throws: `JournalError`.
    public func removed() async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let (now, wall) = (clock.monotonic, clock.wall)
        let known = try await current(now)
        if known.dropped(at: wall, now: now) != nil {
            let written = try await write(now) { $0.decide(.removed, at: wall, now: now) }
            note(now, wall, .event(.removed))
            if written.revision == nil || state?.replica.record.isInPlay == true { return }
        } else if PlayPhase(of: known.replica.record.status.status) == .over {
            return
        }
        guard let fence = fence() else { throw .fenced }
        try await journal.remove(match, fence: fence)
        state?.isRemoved = true
        committed(match)
    }

    /// A removed match that is reported again comes back, also when nothing of it has changed.
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

    /// Notes the state before it changes, for captures.
    func noteStateBefore() {
        if record != nil { stateBefore = state }
    }

    func note(_ now: Duration, _ wall: Instant, _ kind: CaptureEvent.Kind) {
        record?(CaptureEvent(match: match, feed: feed, at: now, wall: wall, kind: kind, stateBefore: stateBefore))
        stateBefore = nil
    }

    private func noteSilence(_ now: Duration) async throws(JournalError) {
        var marked = state
        guard let since = marked?.markSilence(now: now, wall: clock.wall, interval: interval) else { return }
        try await markSilent(since: since)
        state = marked
    }

    private func markSilent(since: Instant?) async throws(JournalError) {
        guard let fence = fence() else { throw .fenced }
        try await journal.setSilent(match, since: since, fence: fence)
        committed(match)
    }

    private func current(_ now: Duration) async throws(JournalError) -> WriterState {
        if let state { return state }
        let head = try await journal.open(match, feed: feed, epoch: Self.randomEpoch())
        var loaded = try await WriterState(
            head,
            journal: journal,
            gate: gate,
            options: options,
            waits: evidence.waits(of: head.feed, clock),
            clock: clock,
            now: now
        )
        loaded.take(try await journal.storedOverrides(of: match))
        overridesReadAt = now
        state = loaded
        noteStateBefore()
        note(now, clock.wall, .opened)
        if !loaded.overrides.isEmpty { note(now, clock.wall, .event(.overrides(loaded.overrides))) }
        return loaded
    }
}

extension MatchWriter {
    /// Real time until a reply that shows the same confirms a pending moment; nil when none does.
    public func look() async -> Duration? { state?.look(now: clock.monotonic) }

    /// Sets the real time from the last reply to the next request; a match at rest is not silent before that.
    public func isPolledAgain(in interval: Duration) async { self.interval = interval }
}

extension JournalError {
    /// Whether the head may have moved.
    fileprivate var asksForReload: Bool {
        switch self {
        case .conflict: true
        // The match was deleted long after its end: it begins anew.
        case .unknownMatch: true
        default: isAmbiguous
        }
    }
}
