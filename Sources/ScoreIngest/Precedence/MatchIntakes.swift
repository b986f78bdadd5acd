// A match has one intake on a node, whichever feeds report it: this registry finds it.

internal import MatchEngine
public import MatchJournal
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
    private var lastSink = 0

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
        let metrics = DisagreementMetrics(feeds: precedence.keys.sorted())
        dependencies = .init(precedence: precedence, clock: clock, metrics: metrics, makeWriter: makeWriter)
    }

    /// Opens the sink of a feed for a match; it has to be closed.
    public func open(_ match: MatchID, _ feed: FeedID) async -> any ReplySink {
        lastSink += 1
        let intake = intake(of: match, feed)
        let sink = IntakeSink(intakes: self, intake: intake, match: match, feed: feed, number: lastSink)
        entries[match, default: Entry(intake: intake)].sinks.insert(sink.number)
        await intake.open(sink: sink.number, of: feed)
        return sink
    }

    /// A sink is closed.
    func closed(_ match: MatchID, sink: Int) {
        entries[match]?.sinks.remove(sink)
        forgetIfUnused(match)
    }

    /// Does what time has made due for a match, polled or not; its intake stays until `release`.
    ///
    /// - Returns: Real time until the next call is of use; nil when only a reply or an operator can change something.
    /// - Throws: `JournalError`.
    func tick(_ match: MatchID, feed: FeedID, isSteered: Bool) async throws(JournalError) -> Duration? {
        let intake = intake(of: match, feed)
        entries[match, default: Entry(intake: intake)].isTicked = true
        if isSteered { try await intake.steer() }
        return try await intake.tick()
    }

    /// Ends what `tick` began.
    func release(_ match: MatchID) {
        entries[match]?.isTicked = false
        forgetIfUnused(match)
    }

    /// The intake of a match: that of the registry, or a new one; `feed` is its feed in the journal.
    func intake(of match: MatchID, _ feed: FeedID) -> MatchIntake {
        entries[match]?.intake ?? MatchIntake(match, feed, dependencies)
    }

    /// An intake that is neither polled nor ticked is forgotten.
    private func forgetIfUnused(_ match: MatchID) {
        if let entry = entries[match], entry.sinks.isEmpty, !entry.isTicked { entries[match] = nil }
    }
}

/// Which feed was believed last of matches that have not begun: their intakes are forgotten between two lists, and the
/// journal has only what was news.
final class LastAnnouncers: Sendable {
    private let feeds = Mutex<[MatchID: FeedID]>([:])

    /// The feed that was believed last of a match; nil when none is remembered.
    func feed(of match: MatchID) -> FeedID? { feeds.withLock { $0[match] } }

    /// Remembers a feed, nil for a match that has begun; at `IngestLimits.lastAnnouncersMax` the others are forgotten.
    func set(_ feed: FeedID?, of match: MatchID) {
        feeds.withLock { feeds in
            let isFull = feeds.count >= IngestLimits.lastAnnouncersMax
            if isFull, feeds[match] == nil, feed != nil { feeds.removeAll() }
            feeds[match] = feed
        }
    }
}
