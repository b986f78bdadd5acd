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

    private let journal: Journal
    private let info: ConnectionInfo
    private let clock: ServiceClock
    private let renderer: PublicationRenderer
    private let outlet: @Sendable (Publication) async -> Void
    private let log = Logger(label: "score.publisher")
    private nonisolated let wakes: (stream: AsyncStream<MatchID>, input: AsyncStream<MatchID>.Continuation)
    private var matches: [MatchID: LiveMatch] = [:]
    /// Matches being worked on, and whether they have been woken again meanwhile.
    private var busy: [MatchID: Bool] = [:]
    private var hasRecovered = false

    /// Makes a publisher; `run` sets it going.
    ///
    /// - Parameters:
    ///   - info: Where to LISTEN.
    ///   - scheme: URL scheme of the app, for deep links.
    ///   - outlet: Takes each publication; awaited, and while it lasts the match's newer states are merged.
    public init(
        journal: Journal,
        info: ConnectionInfo,
        clock: ServiceClock,
        scheme: String,
        outlet: @escaping @Sendable (Publication) async -> Void
    ) {
        self.journal = journal
        self.info = info
        self.clock = clock
        renderer = PublicationRenderer(scheme: scheme)
        self.outlet = outlet
        wakes = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(Self.wakesMax))
    }

    /// Publishes until cancelled; first the head of every match that is on or has just ended (recovery).
    public func run() async {
        let listener = Listener(info, channels: ["publication"])
        await withDiscardingTaskGroup { group in
            group.addTask { await self.listen(to: listener) }
            group.addTask { await self.poll() }
            for await match in wakes.stream {
                guard let taken = take(match) else { continue }
                group.addTask { await self.work(on: taken) }
            }
            group.cancelAll()
        }
        listener.stop()
    }

    /// Looks at a match at once; called by the writer of the same node after its commit.
    public nonisolated func wake(_ match: MatchID) { wakes.input.yield(match) }

    /// The newest publication of a match; nil when it is not known here, or over for an hour.
    public func current(_ match: MatchID) -> Publication? { matches[match]?.current }

    /// All matches that are known here, in order of id.
    public var known: [MatchID] { matches.keys.sorted() }

    /// Whether every match that was on at start has been published; sweeps have to wait for that.
    public var isRecovered: Bool { hasRecovered }

    /// Renders any match out of its journal, without keeping or publishing it; nil when nothing was ever published.
    ///
    /// - Throws: `JournalError`.
    public func recall(_ match: MatchID) async throws(JournalError) -> Publication? {
        guard let head = try await journal.head(of: match), head.revision.number > 0 else { return nil }
        var live = LiveMatch(match, clock: clock)
        try await read(&live)
        guard let batch = PublicationBatch(live.rows, confirmed: live.confirmed, now: Instant(milliseconds: .max)) else {
            return nil
        }
        return renderer.render(batch, of: live.replica, match: match, epoch: head.revision.epoch)
    }
}
