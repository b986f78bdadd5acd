// Readers of publications depend on this cache and not on the publisher, which is made after them.

public import MatchEngine
public import ScoreTypes
internal import Synchronization

/// The newest publication of each match on this node, and the journal for matches without one.
public final class PublicationCache: Sendable {
    private struct Contents {
        var newest: [MatchID: Publication] = [:]
        var isRecovered = false
    }

    let journal: Journal
    let clock: ServiceClock
    let options: EngineOptions
    let renderer: PublicationRenderer
    private let contents = Mutex(Contents())

    /// Makes an empty cache; a `Publisher` fills it.
    ///
    /// - Parameters:
    ///   - journal: The journal that is read.
    ///   - clock: Scales the pace of publications.
    ///   - scheme: URL scheme of the app, for deep links.
    ///   - options: The wording and layout of states and moments; the same for writers and publishers of all nodes.
    public init(journal: Journal, clock: ServiceClock, scheme: String, options: EngineOptions = EngineOptions()) {
        (self.journal, self.clock, self.options) = (journal, clock, options)
        renderer = PublicationRenderer(scheme: scheme, newestLayout: options.newestLayout)
    }

    /// The newest publication of a match; nil when this node has published none, or the match ended more than
    /// `JournalLimits.memoryAfterEnd` ago.
    public func current(_ match: MatchID) -> Publication? { contents.withLock { $0.newest[match] } }

    /// The matches with a publication, in order of their ids.
    public var known: [MatchID] { contents.withLock { $0.newest.keys.sorted() } }

    /// Whether every match that was in play at the start has been published; sweeps have to wait for that.
    public var isRecovered: Bool { contents.withLock { $0.isRecovered } }

    /// The newest publication of a match, rendered out of the journal when none is cached; nil for none.
    ///
    /// - Throws: `JournalError`.
    public func newest(of match: MatchID) async throws(JournalError) -> Publication? {
        if let current = current(match) { return current }
        return try await read(match)
    }

    /// Renders a match out of its journal, without keeping or publishing it; a held match as it was before the hold.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - journal: The journal over other connections, for readers that must not delay a ball; nil for the cache's
    ///     own.
    /// - Returns: The publication; nil when nothing was ever published.
    /// - Throws: `JournalError`.
    public func read(_ match: MatchID, from journal: Journal? = nil) async throws(JournalError) -> Publication? {
        let journal = journal ?? self.journal
        guard let head = try await journal.head(of: match), head.shownRevision > 0 else { return nil }
        var live = LiveMatch(match, clock: clock, options: options)
        try await journal.advance(&live, through: head.shownRevision)
        return renderer.render(live, head: head)
    }

    /// Renders a match as it was published at a revision.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - revision: The revision; of a held match only those before the hold are shown.
    ///   - journal: The journal over the reader's connections.
    /// - Returns: The publication, always with the same state, and with the present epoch of the match; nil when
    ///   nothing was published at the revision.
    /// - Throws: `JournalError`.
    public func read(
        _ match: MatchID,
        at revision: Int64,
        from journal: Journal
    ) async throws(JournalError) -> Publication? {
        guard let head = try await journal.head(of: match), revision <= head.shownRevision else { return nil }
        var live = LiveMatch(match, clock: clock, options: options)
        guard try await journal.advance(&live, to: revision), let row = live.rows.last else { return nil }
        return PublicationBatch([row], confirmed: live.confirmed, now: row.at).flatMap { batch in
            renderer.render(
                batch,
                of: live.replica,
                match: match,
                epoch: head.revision.epoch,
                dayEndedAt: live.dayEndedAt
            )
        }
    }

    /// The matches that have not begun, start within a span by Postgres' clock, and were ever published.
    ///
    /// Held ones are left out, since a start would show them.
    ///
    /// - Throws: `JournalError`.
    public func starting(within span: Duration) async throws(JournalError) -> [Publication] {
        var found: [Publication] = []
        for row in try await journal.starting(within: span) where row.head.heldReason == nil {
            if let publication = try await newest(of: row.head.match) { found.append(publication) }
        }
        return found
    }

    /// Replaces the newest publication of a match; nil forgets it.
    func set(_ publication: Publication?, of match: MatchID) { contents.withLock { $0.newest[match] = publication } }

    /// Every match that was in play at the start has been published.
    func recovered() { contents.withLock { $0.isRecovered = true } }
}
