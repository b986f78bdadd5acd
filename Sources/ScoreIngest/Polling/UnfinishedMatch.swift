// A node that takes a feed over polls on the matches that the journal has as unfinished, listed or not.

public import MatchEngine
public import MatchJournal
public import ScoreTypes

/// A match that has not ended by the journal.
public struct UnfinishedMatch: Sendable, Hashable {
    /// The match, by our id.
    public let match: MatchID
    /// Its first ball, when known.
    public let startsAt: Instant?
    /// Its phase; never `over`.
    public let phase: MatchPhase

    /// The entry that a list would have of the match; its status makes it polled as it should be until the first reply.
    func fixture(_ id: ProviderMatchID) -> Fixture {
        let status: MatchStatus =
            switch phase {
            case .scheduled: .scheduled
            case .live, .over: .live
            case .onBreak: .suspended
            }
        return Fixture(id: id, match: match, startsAt: startsAt?.seconds, status: status)
    }
}

extension Journal {
    /// The unfinished matches that a feed reported first, soonest first, at most `IngestLimits.upcomingMax`.
    ///
    /// Removed ones are left out, and those that should have begun longer ago than `IngestLimits.historyAfter`.
    ///
    /// - Throws: `JournalError`.
    public func unfinished(of feed: FeedID) async throws(JournalError) -> [UnfinishedMatch] {
        let rows = try await matches(phases: [.scheduled, .live, .onBreak])
        return rows.filter { $0.head.feed == feed && $0.head.revision.number > 0 && !$0.isHistory }
            .prefix(IngestLimits.upcomingMax)
            .map { UnfinishedMatch(match: $0.head.match, startsAt: $0.startsAt, phase: $0.head.phase) }
    }
}

extension MatchRow {
    /// Whether it should have begun so long ago that it is not polled any more.
    fileprivate var isHistory: Bool {
        guard head.phase == .scheduled, let startsAt else { return false }
        return head.readAt - startsAt > IngestLimits.historyAfter
    }
}
