// Each match has one serial owner on a node: one call decides which feed leads, and writes what that one reports.

internal import Logging
internal import MatchEngine
internal import ScoreTypes

/// The intake of one match: its feeds, the choice among them, and its writer.
///
/// ```
/// reply ──▶ the feed leads ──▶ writer
///       └─▶ another one leads ──▶ compared, and kept until that one falls silent
/// ```
actor MatchIntake {
    /// What all intakes of a node share.
    struct Dependencies: Sendable {
        /// Of each feed; the lowest that answers leads.
        let precedence: [FeedID: Int]
        let clock: ServiceClock
        let metrics: DisagreementMetrics
        /// Makes a writer, which reads the journal at its first use.
        let makeWriter: @Sendable (MatchID, FeedID) -> MatchWriter
        /// Which feed was believed last of matches to come.
        let lastAnnouncers: LastAnnouncers

        /// A feed that is not configured ranks behind all others.
        func rank(_ feed: FeedID) -> Int { precedence[feed] ?? .max }
    }

    private let match: MatchID
    private let dependencies: Dependencies
    private var writer: MatchWriter
    private var election = SourceElection()
    private var standby: [FeedID: StandbyFeed] = [:]
    /// The open sinks; a feed may have two for a moment: that of its list and that of the match.
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

    private func leads(_ feed: FeedID) -> Bool { election.leader.map { $0 == feed } ?? true }

    /// A feed has opened a sink. When it has one already it does not trust what the writer remembers: a new one is made.
    func join(_ feed: FeedID, sink: Int) {
        if sinks.values.contains(feed) { writer = dependencies.makeWriter(match, feed) }
        sinks[sink] = feed
        election.join(feed, precedence: dependencies.rank(feed), now: dependencies.clock.monotonic)
    }

    /// A sink is closed; a feed leaves the match with the last of its sinks.
    func leave(sink: Int) {
        guard let feed = sinks.removeValue(forKey: sink), !sinks.values.contains(feed) else { return }
        election.leave(feed)
        standby[feed] = nil
    }

    // MARK: Replies

    /// Decides whether a feed leads, and writes its reply or keeps it for comparison.
    ///
    /// - Parameters:
    ///   - reply: A snapshot of the match.
    ///   - feed: The feed.
    /// - Returns: What became of it.
    /// - Throws: `JournalError`; the reply then counts as not seen.
    func accept(_ reply: SeenReply, from feed: FeedID) async throws(JournalError) -> ReplyResult {
        try await enter()
        defer { lock.unlock() }
        let writer = writer
        let stored = try await recall(writer, before: feed)
        let acceptance = try await accept(reply, from: feed, over: stored, writer)
        return ReplyResult(acceptance, wantsLook: await wantsLook(feed, writer))
    }

    private func accept(
        _ reply: SeenReply,
        from feed: FeedID,
        over stored: StoredMatch,
        _ writer: MatchWriter
    ) async throws(JournalError) -> Acceptance {
        let isResting = PollPhase(of: reply.snapshot.status.status) != .live
        let hasSameSides = Namesakes(reply.snapshot, in: stored.record).hasSameSides
        if isAlone && leads(feed), hasSameSides || stored.home == feed {
            _ = isLeading(feed, isResting: isResting)
            return try await write(reply, from: feed, over: stored, writer)
        }
        let news = standby[feed, default: StandbyFeed()]
            .take(reply, against: stored.record, hasSameSides: hasSameSides)
        for kind in news { dependencies.metrics.disagreed(feed, kind) }
        // A feed that names other sides reports another match: it never leads.
        guard hasSameSides else { return .standby }
        if leader == feed {
            let acceptance = try await write(reply, from: feed, over: stored, writer)
            if isAnswer(acceptance) { _ = isLeading(feed, isResting: isResting) }
            return acceptance
        }
        let isBehind = standby[feed]?.isBehind(stored.record) ?? false
        guard isLeading(feed, isBehind: isBehind, isResting: isResting, isOver: stored.record.isOver) else {
            return .standby
        }
        return try await write(reply, from: feed, over: stored, writer)
    }

    /// Takes note that a feed has answered without news.
    ///
    /// - Parameters:
    ///   - seenAt: When the answer had come.
    ///   - source: The feed as the journal names it.
    ///   - feed: The feed.
    /// - Returns: Whether an alert is pending that another answer would confirm.
    /// - Throws: `JournalError`.
    func unchanged(
        seenAt: Instant,
        source: JournalSource,
        from feed: FeedID
    ) async throws(JournalError) -> Bool {
        try await enter()
        defer { lock.unlock() }
        let (writer, didLead, last) = (writer, leads(feed), standby[feed])
        if last?.disagreements.contains(.sides) == true { return await wantsLook(feed, writer) }
        // Its last snapshot may be behind by now: the match may have gone on since.
        let stored = didLead ? nil : try await writer.known()
        let isLeading = isLeading(
            feed,
            isBehind: stored.flatMap { last?.isBehind($0) } ?? false,
            isResting: last?.reply.map { PollPhase(of: $0.snapshot.status.status) != .live } ?? false,
            isOver: stored?.isOver ?? false
        )
        if isLeading, !didLead, let reply = last?.reply {
            // A feed that leads from now on has reported its snapshot before, and it was not written.
            let again = SeenReply(reply.snapshot, seenAt: seenAt, source: reply.source, raw: reply.raw)
            _ = try await writer.accept(again)
        } else if isLeading {
            try await writer.unchanged(seenAt: seenAt, source: source)
        }
        return await wantsLook(feed, writer)
    }

    private func wantsLook(_ feed: FeedID, _ writer: MatchWriter) async -> Bool {
        leads(feed) ? await writer.wantsLook : false
    }

    private func write(
        _ reply: SeenReply,
        from feed: FeedID,
        over stored: StoredMatch,
        _ writer: MatchWriter
    ) async throws(JournalError) -> Acceptance {
        dependencies.lastAnnouncers.set(stored.record.isToCome ? feed : nil, of: match)
        return try await writer.accept(reply)
    }

    /// Records an answer; returns whether the feed leads.
    private func isLeading(
        _ feed: FeedID,
        isBehind: Bool = false,
        isResting: Bool,
        isOver: Bool = false
    ) -> Bool {
        let role = election.answered(
            feed,
            isBehind: isBehind,
            isResting: isResting,
            isOver: isOver,
            now: dependencies.clock.monotonic,
            dependencies.clock.scale
        )
        guard case .leads(let isNew) = role else { return false }
        if isNew {
            held = 0
            dependencies.metrics.changed(to: feed)
        }
        return true
    }

    /// Whether a reply of the leading feed was an answer: a feed whose replies are dropped, or held one after the other,
    /// is silent, and another one leads.
    private func isAnswer(_ acceptance: Acceptance) -> Bool {
        switch acceptance {
        case .dropped: return false
        case .held:
            held += 1
            return held <= Cadence.secondLooksMax
        case .applied, .unchanged, .standby:
            held = 0
            return true
        }
    }

    // MARK: Lists

    /// Writes what a list says about a match that has not begun, if its feed leads.
    ///
    /// - Parameters:
    ///   - fixture: The entry.
    ///   - source: The feed as the journal names it.
    ///   - feed: The feed.
    /// - Throws: `JournalError`.
    func announce(_ fixture: Fixture, source: JournalSource, from feed: FeedID) async throws(JournalError) {
        try await enter()
        defer { lock.unlock() }
        let writer = writer
        let stored = try await recall(writer, before: feed)
        guard stored.home == feed || Namesakes(fixture.teams, in: stored.record).hasSameSides else {
            dependencies.metrics.disagreed(feed, .sides)
            let metadata: Logger.Metadata = ["match": "\(match)", "feed": "\(feed)"]
            Logger(label: "score.ingest").warning("listed with other sides, and ignored", metadata: metadata)
            return
        }
        guard leads(feed) else { return }
        // An entry that says too little for a match announces nothing, and no feed waits for its feed.
        if stored.record.info != nil || Announcement.frame(of: fixture, over: stored.record, feed: nil) != nil {
            dependencies.lastAnnouncers.set(stored.record.isToCome ? feed : nil, of: match)
        }
        try await writer.announce(fixture, source: source)
    }

    /// The match as the journal has it; the feed that led it last, or announced it while it is to come, is waited for.
    private func recall(_ writer: MatchWriter, before feed: FeedID) async throws(JournalError) -> StoredMatch {
        let stored = try await writer.stored()
        if let leader = stored.leader { election.recall(leader, precedence: dependencies.rank(leader)) }
        guard stored.record.isToCome else { return stored }
        // Lists are read, and matches days ahead are polled, at times at which feeds cannot wait for each other.
        let known = [dependencies.lastAnnouncers.feed(of: match), stored.announcer].compactMap(\.self)
        guard let announcer = known.min(by: { dependencies.rank($0) < dependencies.rank($1) }), announcer != feed,
            dependencies.rank(feed) >= dependencies.rank(announcer)
        else { return stored }
        election.recall(announcer, precedence: dependencies.rank(announcer))
        return stored
    }

    /// The provider does not know the match any more, which counts while no other feed has it.
    ///
    /// - Throws: `JournalError`.
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
    /// - Returns: Real time until the next call is of use; nil when only a reply or an operator can bring something.
    /// - Throws: `JournalError`.
    func tick(from feed: FeedID? = nil, nextPollIn: Duration? = nil) async throws(JournalError) -> Duration? {
        let writer = writer
        if let feed, let nextPollIn {
            election.isPolledAgain(feed, in: nextPollIn)
            if leads(feed) { await writer.isPolledAgain(in: nextPollIn) }
        }
        return try await writer.tick()
    }

    /// Reads again what operators say of the match, and writes what that changes.
    ///
    /// - Throws: `JournalError`.
    func steer() async throws(JournalError) { try await writer.steer() }

    /// The match as a feed's adapter needs it: keys and places of another provider mean nothing to it.
    ///
    /// - Throws: `JournalError`.
    func known(to feed: FeedID) async throws(JournalError) -> MatchRecord {
        let stored = try await writer.known()
        return leads(feed) ? stored : standby[feed]?.record ?? MatchRecord()
    }

    /// Lets one caller at a time decide and write.
    private func enter() async throws(JournalError) {
        guard await lock.lock() else { throw .busy }
    }
}

/// A match as the journal has it, with its feeds.
private struct StoredMatch: Sendable {
    let record: MatchRecord
    /// The feed that reported it first.
    var home: FeedID?
    /// The feed that led it last; nil before any has.
    var leader: FeedID?
    /// The feed that was believed last; nil when what it reported was taken back, or there is none.
    var announcer: FeedID?
}

extension MatchWriter {
    /// The match as it is written, and by which feeds.
    ///
    /// - Throws: `JournalError`.
    fileprivate func stored() async throws(JournalError) -> StoredMatch {
        var stored = StoredMatch(record: try await known())
        guard let state else { return stored }
        stored.home = state.home.flatMap { FeedID($0) }
        stored.leader = state.feed.flatMap { FeedID($0) }
        stored.announcer = state.isRemoved ? nil : state.teller.flatMap { FeedID($0) }
        return stored
    }
}

extension MatchRecord {
    /// Whether a list may still say something of it: nothing of it was played.
    fileprivate var isToCome: Bool { deliveries.isEmpty && innings.isEmpty }

    /// Whether only late corrections may come.
    fileprivate var isOver: Bool { PollPhase(of: status.status) == .over }
}
