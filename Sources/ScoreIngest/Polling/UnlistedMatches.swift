// A list that says nothing of a match proves nothing: it may have more pages, or only the days that are near.

public import MatchEngine
public import MatchJournal
internal import Providers
public import ScoreTypes

/// A match that has not ended, as far as the journal knows.
public struct UnfinishedMatch: Sendable, Hashable {
    /// The match, by our name.
    public let match: MatchID
    /// Its first ball, when known.
    public let startsAt: Instant?
    /// What it is doing; never `over`.
    public let phase: MatchPhase

    /// Names a match.
    public init(_ match: MatchID, startsAt: Instant?, phase: MatchPhase) {
        self.match = match
        self.startsAt = startsAt
        self.phase = phase
    }
}

extension Journal {
    /// The matches that a feed has told of first and that have not ended, soonest first.
    ///
    /// - Parameter feed: The feed.
    /// - Returns: At most `PollSchedule.upcomingMax` matches, without those that were removed, and those that should
    ///   have begun so long ago that nobody polls them.
    /// - Throws: `JournalError`.
    public func unfinished(of feed: FeedID) async throws(JournalError) -> [UnfinishedMatch] {
        let rows = try await matches(phases: [.scheduled, .live, .onBreak])
        return rows.filter { $0.head.feed == feed && $0.head.revision.number > 0 && !$0.isForgotten }
            .prefix(PollSchedule.upcomingMax)
            .map { UnfinishedMatch($0.head.match, startsAt: $0.startsAt, phase: $0.head.phase) }
    }
}

/// The matches of a feed that are to be asked for although its list does not have them, each at its time.
///
/// ```
/// in the journal, not over ──start of a duty────┐
///                                               ├──▶ unlisted ──▶ polled as any, from an hour before its start
/// announced, to come ──a later list without it──┘        │             ├── known: polled on to its end
///                                                        │             └── not known: given up as any (F16)
///                                                     listed: the list's
/// ```
struct UnlistedMatches: Sendable {
    /// Whether the journal has been asked since this node got the duty.
    private(set) var isRecalled = false
    private var kept: [MatchID: Fixture] = [:]

    /// In order of their names.
    var fixtures: [Fixture] { kept.values.sorted { $0.match < $1.match } }

    /// Takes what the journal has; ids of the provider are those that aliases give, or the match's own.
    ///
    /// A match whose own id means another one by now was told of before its alias was given: it is not polled as two.
    mutating func recall(_ matches: [UnfinishedMatch], _ provider: Provider, _ aliases: AliasBook) {
        isRecalled = true
        for found in matches {
            let id = aliases.id(of: found.match, from: provider)
            guard aliases.match(id, of: provider) == found.match else { continue }
            kept[found.match] = Fixture(
                id: id,
                match: found.match,
                startsAt: found.startsAt?.seconds,
                status: found.phase.statusAtLeast
            )
        }
    }

    /// Lets go of what is listed, and takes what was announced and is listed no more.
    mutating func compare(with list: [Fixture], announced: [MatchID: Fixture]) {
        let listed = Set(list.map(\.match))
        for (match, fixture) in announced where fixture.status.map(PlayPhase.init(of:)) != .over {
            kept[match] = fixture
        }
        kept = kept.filter { !listed.contains($0.key) }
    }

    /// Lets go of what has another name by the alias table as it is now.
    mutating func rename(_ provider: Provider, _ aliases: AliasBook) {
        kept = kept.filter { aliases.match($0.value.id, of: provider) == $0.key }
    }

    /// Its polling has ended.
    mutating func forget(_ match: MatchID) { kept[match] = nil }
}

extension MatchPhase {
    /// A status that makes a match polled as it should be until a reply tells more.
    fileprivate var statusAtLeast: MatchStatus {
        switch self {
        case .scheduled: .scheduled
        case .live, .over: .live
        case .onBreak: .suspended
        }
    }
}

extension MatchRow {
    /// Whether it has not begun though it should have, longer ago than anybody asks for it.
    fileprivate var isForgotten: Bool {
        guard head.phase == .scheduled, let startsAt else { return false }
        return head.readAt - startsAt > PollSchedule.historyAfter
    }
}
