// Orders of other nodes and of operators reach this node by LISTEN.

internal import Logging
public import Postgres
public import Providers
public import ScoreTypes
internal import Synchronization

/// Receives orders, and carries out those that concern this node.
///
/// Two tables stand behind the orders: the aliases, and the feeds that are paused. Each is read at the start, when
/// listening begins, and when an order says that it has changed; after a failure it is read again.
public final class IngestOrderListener: Sendable {
    private let info: ConnectionInfo
    private let ingest: IngestService
    private let ticker: MatchTicker
    private let book: @Sendable () async throws -> AliasBook
    private let aliases: AliasCache
    private let captured: @Sendable (AliasBook) -> Void
    private let paused: @Sendable () async throws -> Set<FeedID>
    private let reload = WakeSignal()
    private let stale = Mutex(Set(Table.allCases))
    private let allRead: AsyncStream<Void>
    private let allReadContinuation: AsyncStream<Void>.Continuation

    private enum Table: String, Sendable, CaseIterable { case aliases, pausedFeeds }

    /// Makes a listener; nothing is received before `run`.
    ///
    /// - Parameters:
    ///   - info: Where to LISTEN.
    ///   - ingest: The feeds of this node.
    ///   - ticker: Takes orders about overrides of matches.
    ///   - book: Reads the alias table.
    ///   - aliases: This node's copy of it.
    ///   - captured: Takes each new copy.
    ///   - paused: Reads the feeds that operators have paused, on whichever node.
    public init(
        info: ConnectionInfo,
        ingest: IngestService,
        ticker: MatchTicker,
        book: @escaping @Sendable () async throws -> AliasBook,
        aliases: AliasCache,
        captured: @escaping @Sendable (AliasBook) -> Void = { _ in },
        paused: @escaping @Sendable () async throws -> Set<FeedID>
    ) {
        self.info = info
        self.ingest = ingest
        self.ticker = ticker
        self.book = book
        self.aliases = aliases
        self.captured = captured
        self.paused = paused
        (allRead, allReadContinuation) = AsyncStream.makeStream()
    }

    /// Listens until cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.readTables() }
            await listen()
            group.cancelAll()
        }
    }

    /// Waits until `run` has read both tables once, or the task is cancelled; for one caller.
    ///
    /// A poller that starts before would poll paused feeds, and matches under ids that are not ours.
    public func ready() async { for await _ in allRead {} }

    private func listen() async {
        let listener = Listener(info, channels: [IngestOrder.channel])
        await withTaskCancellationHandler {
            for await notification in listener.notifications {
                switch notification {
                case .message(_, let payload): if let order = IngestOrder(payload) { await carryOut(order) }
                // Orders may have been lost; lists are read again anyway.
                case .reconnected:
                    ticker.anyOverridesChanged()
                    read(Table.allCases)
                }
            }
        } onCancel: {
            listener.stop()
        }
    }

    private func carryOut(_ order: IngestOrder) async {
        switch order {
        case .poll(let feed, let match): if await ingest.polls(feed) { await ingest.notice(feed, match) }
        case .notice(let feed, let notice):
            if await ingest.polls(feed) { await ingest.notice(feed, notice.match, .notice(notice)) }
        case .feed(_, .turn): read([.pausedFeeds])
        case .feed(let feed, .poll): await ingest.pollNow(feed)
        case .feed(let feed, .reset): await ingest.resetBreaker(feed)
        case .aliases: read([.aliases])
        case .steer(let match): ticker.overridesChanged(match)
        }
    }

    private func read(_ tables: [Table]) {
        stale.withLock { $0.formUnion(tables) }
        reload.fire()
    }

    /// Reads stale tables, one at a time: an answer never overtakes a later one.
    private func readTables() async {
        while !Task.isCancelled {
            let tables = stale.withLock { stale in
                defer { stale = [] }
                return stale
            }
            var hasFailed = false
            for table in Table.allCases where tables.contains(table) {
                do {
                    switch table {
                    case .aliases: try await readAliases()
                    case .pausedFeeds: await ingest.pause(only: try await paused())
                    }
                } catch {
                    hasFailed = true
                    stale.withLock { _ = $0.insert(table) }
                    let metadata: Logger.Metadata = ["table": "\(table.rawValue)", "reason": "\(error)"]
                    Logger(label: "score.ingest").warning("table of operators not read", metadata: metadata)
                }
            }
            if !hasFailed { allReadContinuation.finish() }
            _ = await reload.sleep(hasFailed ? IngestLimits.tableRetryInterval : IngestLimits.idleMax)
        }
    }

    private func readAliases() async throws {
        let book = try await book()
        guard aliases.take(book) else { return }
        captured(book)
        await ingest.aliasesChanged()
    }
}
