// Each node works out for itself what to publish, from rows alone; so any of them can die.

internal import Logging
public import MatchEngine
public import Postgres
public import ScoreTypes

/// Follows all live matches and gives their newest state to the outlet: one publisher a node.
///
/// Woken by the node's own writers, by NOTIFY, and by a poll for what both have missed.
public actor Publisher {
    /// Real time between two looks at all matches; a wake-up that was lost costs no more.
    public static let pollInterval: Duration = .milliseconds(500)
    /// How long a finished match is remembered.
    public static let memoryAfterEnd: Duration = .seconds(3600)
    /// How long after its end a match is still published at start: its final card may have reached nobody.
    public static let recoveryAfterEnd: Duration = .seconds(600)
    /// Wake-ups that may wait; what is beyond is found by the poll.
    private static let wakesMax = 1024

    let journal: Journal
    let clock: ServiceClock
    let options: EngineOptions
    let renderer: PublicationRenderer
    let outlet: @Sendable (Publication) async -> Void
    let standing: @Sendable (JournalHead) async -> Bool
    let log = Logger(label: "score.publisher")
    let metrics = PublicationMetrics()
    private let info: ConnectionInfo
    private nonisolated let wakes: (stream: AsyncStream<MatchID>, continuation: AsyncStream<MatchID>.Continuation)
    /// What nobody works on is here; a worker takes its match out, so that folding never copies it.
    var resting: [MatchID: LiveMatch] = [:]
    var currents: [MatchID: Publication] = [:]
    /// Matches being worked on, and whether they have been woken again meanwhile.
    var busy: [MatchID: Bool] = [:]
    /// Matches that could not be published, and until when they are left alone.
    var setbacks: [MatchID: Setback] = [:]
    /// Whether the last look at all matches failed, so that an outage is logged once.
    var isBlind = false
    /// Matches whose feeds are silent, that are held, or that were dropped, as it was told last.
    var standings: [MatchID: Standing] = [:]
    /// What recovery has still to look at; nil before it knows.
    var unrecovered: Set<MatchID>?

    /// Makes a publisher; `run` sets it going, once.
    ///
    /// - Parameters:
    ///   - journal: What to follow.
    ///   - info: Where to LISTEN.
    ///   - clock: Paces publications.
    ///   - scheme: URL scheme of the app, for deep links.
    ///   - options: How matches are told; the same for writers and publishers of all nodes.
    ///   - standing: Told when the feeds of a match fall silent or answer again, when it is held or let go, and when it
    ///     is dropped; false when it has to be told again.
    ///   - outlet: Takes each publication; awaited, and while it lasts the match's newer states are merged.
    public init(
        journal: Journal,
        info: ConnectionInfo,
        clock: ServiceClock,
        scheme: String,
        options: EngineOptions = EngineOptions(),
        standing: @escaping @Sendable (JournalHead) async -> Bool = { _ in true },
        outlet: @escaping @Sendable (Publication) async -> Void
    ) {
        self.journal = journal
        self.info = info
        self.clock = clock
        self.options = options
        renderer = PublicationRenderer(scheme: scheme)
        self.standing = standing
        self.outlet = outlet
        wakes = AsyncStream.makeStream(of: MatchID.self, bufferingPolicy: .bufferingNewest(Self.wakesMax))
    }

    /// Publishes until cancelled; first the head of every match that is on or has just ended (recovery).
    public func run() async {
        let listener = Listener(info, channels: ["publication"])
        await withDiscardingTaskGroup { group in
            group.addTask { await self.listen(to: listener) }
            group.addTask { await self.poll() }
            for await match in wakes.stream {
                guard begin(match) else { continue }
                group.addTask { await self.work(on: match) }
            }
            group.cancelAll()
        }
        listener.stop()
    }

    /// Looks at a match at once; called by the writer of the same node after its commit.
    public nonisolated func wake(_ match: MatchID) { wakes.continuation.yield(match) }

    /// The newest publication of a match; nil when it is not known here, or over for an hour.
    public func current(_ match: MatchID) -> Publication? { currents[match] }

    /// All matches that are known here, in order of id.
    public var known: [MatchID] { currents.keys.sorted() }

    /// Whether every match that was on at start has been published; sweeps have to wait for that.
    public var isRecovered: Bool { unrecovered?.isEmpty == true }

    /// Renders any match out of its journal as it may be shown, without keeping or publishing it.
    ///
    /// Of a held match that is what was published before; nil when nothing was.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - journal: Over other connections, for readers who must not hold up a ball; nil for the publisher's own.
    /// - Returns: What would be published now.
    /// - Throws: `JournalError`.
    public func recall(
        _ match: MatchID,
        from journal: Journal? = nil
    ) async throws(JournalError) -> Publication? {
        let journal = journal ?? self.journal
        guard let head = try await journal.head(of: match), head.shownRevision > 0 else { return nil }
        var live = LiveMatch(match, clock: clock, options: options)
        try await journal.advance(&live, through: head.shownRevision)
        return renderer.render(live, head: head)
    }

    /// The matches that have not begun and start within a span, as they stand; what does not change is not published.
    ///
    /// Matches that an operator holds are left out.
    ///
    /// - Parameter span: How far to look ahead, by Postgres' clock.
    /// - Returns: Those of them that were ever published.
    /// - Throws: `JournalError`.
    public func starting(within span: Duration) async throws(JournalError) -> [Publication] {
        var found: [Publication] = []
        // What is held is not prepared either: a start would show it.
        for row in try await journal.starting(within: span) where row.head.heldReason == nil {
            let known = currents[row.head.match]
            if let publication = known == nil ? try await recall(row.head.match) : known { found.append(publication) }
        }
        return found
    }

    private func listen(to listener: Listener) async {
        for await notification in listener.notifications {
            switch notification {
            case .message(_, let payload): if let match = MatchID(payload) { wake(match) }
            // What was missed meanwhile is found by the poll.
            case .reconnected: continue
            }
        }
    }
}
