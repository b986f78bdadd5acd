// Each match has one serial owner on a node: one call decides which feed leads, and writes what that one reports.

internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import Providers
internal import ScoreTypes

/// The intake of one match: its feeds, the choice among them, and its writer.
///
/// ```
/// reply ──▶ the feed leads ──▶ writer
///       └─▶ another one leads ──▶ compared, and kept until that one falls silent
/// ```
///
/// All calls that write throw `JournalError`; a reply then counts as not seen.
actor MatchIntake {
    /// The dependencies that all intakes of a node share.
    struct Dependencies: Sendable {
        /// The precedence of each feed; of the feeds that answer, the one with the lowest number leads.
        let precedence: [FeedID: Int]
        let clock: ServiceClock
        let metrics: DisagreementMetrics
        /// Makes a writer, which reads the journal at its first use.
        let makeWriter: @Sendable (MatchID, FeedID) -> MatchWriter
        let lastAnnouncers = LastAnnouncers()

        /// A feed that is not configured ranks behind all others.
        func rank(_ feed: FeedID) -> Int { precedence[feed] ?? .max }
    }

    private let match: MatchID
    private let dependencies: Dependencies
    private var writer: MatchWriter
    private var election = SourceElection()
    private var standby: [FeedID: StandbyFeed] = [:]
    /// The feed whose newest reply is written, and no other feed's since; nil when there is none.
    private var written: FeedID?
    /// The feeds of the open sinks; a feed may have two for a moment: that of its list and that of the match.
    private var sinks: [Int: FeedID] = [:]
    /// Held replies of the leading feed in a row.
    private var held = 0
    /// Held by the call that decides and writes: calls of an actor interleave where they await.
    private let lock = AsyncMutex(waitersMax: IngestLimits.intakeCallsMax)

    /// Makes an intake; `feed` is the feed of the match in the journal, or the first one that reports it.
    init(_ match: MatchID, _ feed: FeedID, _ dependencies: Dependencies) {
        self.match = match
        self.dependencies = dependencies
        writer = dependencies.makeWriter(match, feed)
    }

    // MARK: Feeds

    /// Whether at most one feed has the match.
    var isAlone: Bool { Set(sinks.values).count < 2 }

    /// The feed that leads; nil before any has.
    var leader: FeedID? { election.leader }

    private func leads(_ feed: FeedID) -> Bool { leader == nil || leader == feed }

    /// A feed opens a sink; a feed that has one already does not trust what the writer remembers.
    func open(sink: Int, of feed: FeedID) {
        if sinks.values.contains(feed) { writer = dependencies.makeWriter(match, feed) }
        sinks[sink] = feed
        election.join(feed, precedence: dependencies.rank(feed), now: dependencies.clock.monotonic)
    }

    /// A sink is closed; a feed leaves the match with the last of its sinks.
    func close(sink: Int) {
        guard let feed = sinks.removeValue(forKey: sink), !sinks.values.contains(feed) else { return }
        election.leave(feed)
        standby[feed] = nil
    }

    // MARK: Replies

    /// Decides whether a feed leads, and writes its reply or keeps it for comparison.
    func accept(_ reply: SeenReply, from feed: FeedID) async throws(JournalError) -> ReplyResult {
        try await enter()
        defer { lock.unlock() }
        let stored = try await recall(before: feed)
        return ReplyResult(acceptance: try await decide(reply, from: feed, stored), look: await look(feed))
    }

    private func decide(
        _ reply: SeenReply,
        from feed: FeedID,
        _ stored: StoredMatch
    ) async throws(JournalError) -> Acceptance {
        if written == feed { written = nil }
        let isResting = reply.isResting
        let hasSameSides = NameMatching(reply.snapshot.info.teams, in: stored.record).hasSameSides
        if isAlone && leads(feed), hasSameSides || stored.home == feed {
            standby[feed]?.keep(reply)
            answered(feed, isResting: isResting)
            return try await write(reply, from: feed, stored)
        }
        let news = standby[feed, default: StandbyFeed()]
            .take(reply, against: stored.record, hasSameSides: hasSameSides)
        for kind in news { dependencies.metrics.disagreed(feed, kind) }
        // A feed that names other sides reports another match: it never leads.
        guard hasSameSides else { return .standby }
        if leader == feed {
            let acceptance = try await write(reply, from: feed, stored)
            if isAnswer(acceptance) { answered(feed, isResting: isResting) }
            return acceptance
        }
        let isBehind = standby[feed]?.isBehind(stored.record) ?? false
        let isLeading = answered(feed, isBehind: isBehind, isResting: isResting, isOver: stored.record.isOver)
        if isLeading { return try await write(reply, from: feed, stored) }
        try await writer.second(reply)
        return .standby
    }

    private func write(
        _ reply: SeenReply,
        from feed: FeedID,
        _ stored: StoredMatch
    ) async throws(JournalError) -> Acceptance {
        dependencies.lastAnnouncers.set(stored.record.isToCome ? feed : nil, of: match)
        let acceptance = try await writer.accept(reply)
        switch acceptance {
        case .applied, .unchanged: written = feed
        case .held, .dropped, .standby: break
        }
        return acceptance
    }

    /// Takes note that a feed has answered without news; returns the real time until another answer of it confirms a
    /// pending alert, nil when none does.
    ///
    /// The feed repeats its last reply. One that is not written is decided about again: the feed may lead from now on,
    /// and a held reply needs a second sighting.
    func unchanged(seenAt: Instant, source: JournalSource, from feed: FeedID) async throws(JournalError) -> Duration? {
        try await enter()
        defer { lock.unlock() }
        let stored = try await recall(before: feed)
        let last = standby[feed]?.reply
        if let last, written != feed {
            let again = SeenReply(last.snapshot, seenAt: seenAt, source: last.source, raw: last.raw)
            _ = try await decide(again, from: feed, stored)
        } else if answered(feed, isResting: last?.isResting ?? false, isOver: stored.record.isOver) {
            try await writer.unchanged(seenAt: seenAt, source: source)
        }
        return await look(feed)
    }

    private func look(_ feed: FeedID) async -> Duration? { leads(feed) ? await writer.look() : nil }

    /// Records an answer; returns whether the feed leads.
    @discardableResult
    private func answered(
        _ feed: FeedID,
        isBehind: Bool = false,
        isResting: Bool,
        isOver: Bool = false
    ) -> Bool {
        let clock = dependencies.clock
        let role = election.answered(
            feed,
            isBehind: isBehind,
            isResting: isResting,
            isOver: isOver,
            now: clock.monotonic,
            clock
        )
        if role == .leads(isNew: true) {
            held = 0
            dependencies.metrics.changed(to: feed)
        }
        return role != .standsBy
    }

    /// Whether a reply of the leading feed was an answer: a feed whose replies are dropped, or held one after the
    /// other, is silent, and another one leads.
    private func isAnswer(_ acceptance: Acceptance) -> Bool {
        switch acceptance {
        case .dropped: return false
        case .held:
            held += 1
            return held <= IngestLimits.secondLooksMax
        case .applied, .unchanged, .standby:
            held = 0
            return true
        }
    }

    // MARK: Lists

    /// Writes what a list says about a match that has not begun, if its feed leads.
    func announce(_ fixture: Fixture, source: JournalSource, from feed: FeedID) async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let stored = try await recall(before: feed)
        guard stored.home == feed || NameMatching(fixture.teams, in: stored.record).hasSameSides else {
            dependencies.metrics.disagreed(feed, .sides)
            let metadata: Logger.Metadata = ["match.id": "\(match)", "feed": "\(feed)"]
            Logger(label: "score.ingest").warning("listed with other sides, and ignored", metadata: metadata)
            return
        }
        guard leads(feed) else { return }
        // An entry that says too little for a match announces nothing, and no feed waits for its feed.
        if stored.record.info != nil || stored.record.accepts(fixture) {
            dependencies.lastAnnouncers.set(stored.record.isToCome ? feed : nil, of: match)
        }
        try await writer.announce(fixture, source: source)
    }

    /// Reads the match; the feed that led it last, or announced it while it is to come, is waited for.
    private func recall(before feed: FeedID) async throws(JournalError) -> StoredMatch {
        let stored = try await writer.stored()
        if let leader = stored.feed { election.recall(leader, precedence: dependencies.rank(leader)) }
        guard stored.record.isToCome else { return stored }
        // Lists are read, and matches days ahead are polled, at times at which feeds cannot wait for each other.
        let known = [dependencies.lastAnnouncers.feed(of: match), stored.reporter].compactMap(\.self)
        let announcer = known.min { dependencies.rank($0) < dependencies.rank($1) }
        if let announcer, announcer != feed, dependencies.rank(feed) >= dependencies.rank(announcer) {
            election.recall(announcer, precedence: dependencies.rank(announcer))
        }
        return stored
    }

    /// The provider does not know the match any more, which counts while no other feed has it.
    func removed() async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        guard isAlone else { return }
        dependencies.lastAnnouncers.set(nil, of: match)
        try await writer.removed()
    }

    // MARK: Time and operators

    /// Does what time has made due; `nextPollIn` is real time until a feed is polled again after an answer.
    ///
    /// - Returns: Real time until the next call is of use; nil when only a reply or an operator can change something.
    func tick(from feed: FeedID? = nil, nextPollIn: Duration? = nil) async throws(JournalError) -> Duration? {
        let writer = writer
        if let feed, let nextPollIn {
            election.isPolledAgain(feed, in: nextPollIn)
            if leads(feed) { await writer.isPolledAgain(in: nextPollIn) }
        }
        return try await writer.tick()
    }

    /// Reads the overrides of the match again, and writes what that changes.
    func steer() async throws(JournalError) { try await writer.steer() }

    /// Publishes the present state of the match again.
    func republish() async throws(JournalError) { try await writer.republish() }

    /// Whether play has begun and is not over, by the journal for the feed that leads, else by the feed's own report.
    func isInPlay(by feed: FeedID) async throws(JournalError) -> Bool {
        let stored = try await writer.stored().record
        return leads(feed) ? stored.isInPlay : standby[feed]?.isInPlay ?? false
    }

    private func enter() async throws(JournalError) {
        guard await lock.lock() else { throw .busy }
    }
}

/// One feed's sink for one match.
struct IntakeSink: ReplySink {
    let intakes: MatchIntakes
    let intake: MatchIntake
    let match: MatchID
    let feed: FeedID
    let number: Int

    func accept(_ reply: SeenReply) async throws -> ReplyResult { try await intake.accept(reply, from: feed) }

    func unchanged(seenAt: Instant, source: JournalSource) async throws -> Duration? {
        try await intake.unchanged(seenAt: seenAt, source: source, from: feed)
    }

    func tick(nextPollIn: Duration?) async throws -> Duration? {
        try await intake.tick(from: feed, nextPollIn: nextPollIn)
    }

    func announce(_ fixture: Fixture, source: JournalSource) async throws {
        try await intake.announce(fixture, source: source, from: feed)
    }

    func isInPlay() async throws -> Bool { try await intake.isInPlay(by: feed) }

    func removed() async throws { try await intake.removed() }

    func close() async {
        await intake.close(sink: number)
        await intakes.closed(match, sink: number)
    }
}

extension SeenReply {
    /// Whether no balls are expected.
    fileprivate var isResting: Bool { PlayPhase(of: snapshot.status.status) != .live }
}

extension MatchRecord {
    /// Whether a list may still say something of it: nothing of it was played.
    fileprivate var isToCome: Bool { deliveries.isEmpty && innings.isEmpty }

    /// Whether only late corrections may come.
    fileprivate var isOver: Bool { PlayPhase(of: status.status) == .over }
}
