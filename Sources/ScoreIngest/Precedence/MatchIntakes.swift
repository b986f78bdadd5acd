// A match has one intake on a node, whichever feeds report it: this registry finds it.

internal import MatchEngine
public import ScoreTypes
internal import Synchronization

/// The intakes of the matches that are polled or ticked on this node.
public actor MatchIntakes {
    private struct Entry {
        let intake: MatchIntake
        var sinks: Set<Int> = []
        /// Whether the match is ticked although no poller has it.
        var isTicked = false
    }

    private let dependencies: MatchIntake.Dependencies
    private var entries: [MatchID: Entry] = [:]
    private var opened = 0

    /// Makes a registry without matches.
    ///
    /// - Parameters:
    ///   - precedence: Of each feed; the lowest that answers leads.
    ///   - clock: Measures silences.
    ///   - makeWriter: Makes a writer, which reads the journal at its first use.
    public init(
        precedence: [FeedID: Int],
        clock: ServiceClock,
        makeWriter: @escaping @Sendable (MatchID, FeedID) -> MatchWriter
    ) {
        dependencies = MatchIntake.Dependencies(
            precedence: precedence,
            clock: clock,
            metrics: DisagreementMetrics(feeds: precedence.keys.sorted()),
            makeWriter: makeWriter,
            lastAnnouncers: LastAnnouncers()
        )
    }

    /// Opens the sink of a feed for a match.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - feed: The feed.
    /// - Returns: What takes the feed's replies; it has to be closed.
    public func open(_ match: MatchID, _ feed: FeedID) async -> any ReplySink {
        opened += 1
        let number = opened
        var entry = entry(of: match, feed)
        entry.sinks.insert(number)
        entries[match] = entry
        await entry.intake.join(feed, sink: number)
        return IntakeSink(intakes: self, intake: entry.intake, match: match, feed: feed, number: number)
    }

    /// A sink is closed; an intake that nobody holds is forgotten.
    fileprivate func closed(_ match: MatchID, sink: Int) {
        entries[match]?.sinks.remove(sink)
        forgetIfUnused(match)
    }

    /// Does what time has made due for a match, polled or not; its intake stays until `release`.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - feed: The feed of the match in the journal.
    ///   - isSteered: Whether what operators say is read again first.
    /// - Returns: Real time until the next call is of use; nil when only a reply or an operator can bring something.
    /// - Throws: `JournalError`.
    func tick(_ match: MatchID, feed: FeedID, isSteered: Bool) async throws(JournalError) -> Duration? {
        var entry = entry(of: match, feed)
        entry.isTicked = true
        entries[match] = entry
        if isSteered { try await entry.intake.steer() }
        return try await entry.intake.tick()
    }

    /// Ends what `tick` began: an intake that no poller holds is forgotten.
    func release(_ match: MatchID) {
        entries[match]?.isTicked = false
        forgetIfUnused(match)
    }

    /// Reads again what operators say of a match, and writes what that changes.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - feed: The feed of the match in the journal.
    /// - Throws: `JournalError`.
    func steer(_ match: MatchID, feed: FeedID) async throws(JournalError) {
        try await entry(of: match, feed).intake.steer()
    }

    /// The intake of a match that is polled or ticked.
    func intake(of match: MatchID) -> MatchIntake? { entries[match]?.intake }

    private func entry(of match: MatchID, _ feed: FeedID) -> Entry {
        entries[match] ?? Entry(intake: MatchIntake(match, feed, dependencies))
    }

    private func forgetIfUnused(_ match: MatchID) {
        if let entry = entries[match], entry.sinks.isEmpty, !entry.isTicked { entries[match] = nil }
    }
}

/// One feed's sink for one match.
private struct IntakeSink: ReplySink {
    let intakes: MatchIntakes
    let intake: MatchIntake
    let match: MatchID
    let feed: FeedID
    let number: Int

    func accept(_ reply: SeenReply) async throws -> ReplyResult { try await intake.accept(reply, from: feed) }

    func unchanged(seenAt: Instant, source: JournalSource) async throws -> Bool {
        try await intake.unchanged(seenAt: seenAt, source: source, from: feed)
    }

    func tick(nextPollIn: Duration?) async throws -> Duration? {
        try await intake.tick(from: feed, nextPollIn: nextPollIn)
    }

    func announce(_ fixture: Fixture, source: JournalSource) async throws {
        try await intake.announce(fixture, source: source, from: feed)
    }

    func known() async throws -> MatchRecord { try await intake.known(to: feed) }

    func removed() async throws { try await intake.removed() }

    func close() async {
        await intake.leave(sink: number)
        await intakes.closed(match, sink: number)
    }
}

/// Which feed was believed last of matches that have not begun: their intakes are forgotten between two lists, and the
/// journal has only what was news.
final class LastAnnouncers: Sendable {
    private let feeds = Mutex<[MatchID: FeedID]>([:])

    /// The feed that was believed last of a match; nil when none is remembered.
    func feed(of match: MatchID) -> FeedID? { feeds.withLock { $0[match] } }

    /// Remembers a feed; nil for a match that has begun. At `IngestLimits.lastAnnouncersMax` all others are forgotten.
    func set(_ feed: FeedID?, of match: MatchID) {
        feeds.withLock { feeds in
            let isFull = feeds.count >= IngestLimits.lastAnnouncersMax
            if isFull, feeds[match] == nil, feed != nil { feeds.removeAll() }
            feeds[match] = feed
        }
    }
}
