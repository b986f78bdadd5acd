// Orders of other nodes and of operators reach this node by LISTEN.

internal import Logging
public import Postgres
public import Providers
public import ScoreTypes

/// Receives orders, and carries out those that concern this node.
///
/// The tables of aliases and of paused feeds are read at the start, when listening begins, after an order that one of
/// them has changed, and after a failure.
public final class IngestOrderListener: Sendable {
    private let info: ConnectionInfo
    private let ingest: IngestService
    private let ticker: MatchTicker
    private let table: @Sendable () async throws -> AliasTable
    private let aliases: AliasCache
    private let captured: @Sendable (AliasTable) -> Void
    private let paused: @Sendable () async throws -> Set<FeedID>
    private let reload = WakeSignal()
    private let allRead: AsyncStream<Void>
    private let allReadContinuation: AsyncStream<Void>.Continuation

    /// Makes a listener; nothing is received before `run`.
    ///
    /// - Parameters:
    ///   - info: Where to LISTEN.
    ///   - ingest: The feeds of this node.
    ///   - ticker: Takes orders about overrides of matches.
    ///   - table: Reads the alias table.
    ///   - aliases: This node's copy of it.
    ///   - captured: Takes each new copy.
    ///   - paused: Reads the feeds that operators have paused, on whichever node.
    public init(
        info: ConnectionInfo,
        ingest: IngestService,
        ticker: MatchTicker,
        table: @escaping @Sendable () async throws -> AliasTable,
        aliases: AliasCache,
        captured: @escaping @Sendable (AliasTable) -> Void = { _ in },
        paused: @escaping @Sendable () async throws -> Set<FeedID>
    ) {
        self.info = info
        self.ingest = ingest
        self.ticker = ticker
        self.table = table
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
                    reload.fire()
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
        case .feed(_, .turn), .aliases: reload.fire()
        case .feed(let feed, .poll): await ingest.pollNow(feed)
        case .feed(let feed, .reset): await ingest.resetBreaker(feed)
        case .steer(let match): ticker.overridesChanged(match)
        case .resync(let match): await ingest.resync(match)
        case .republish(let match): ticker.republish(match)
        }
    }

    /// Reads the tables, one reading at a time: an answer never overtakes a later one.
    private func readTables() async {
        while !Task.isCancelled {
            let isRead = [
                await isRead("pausedFeeds") { await ingest.pause(only: try await paused()) },
                await isRead("aliases") {
                    let table = try await table()
                    guard aliases.take(table) else { return }
                    captured(table)
                    await ingest.aliasesChanged()
                },
            ].allSatisfy(\.self)
            if isRead { allReadContinuation.finish() }
            _ = await reload.sleep(isRead ? IngestLimits.idleMax : IngestLimits.tableRetryInterval)
        }
    }

    private func isRead(_ table: String, _ read: () async throws -> Void) async -> Bool {
        do {
            try await read()
            return true
        } catch {
            let metadata: Logger.Metadata = ["table": "\(table)", "reason": "\(error)"]
            Logger(label: "score.ingest").warning("table not read", metadata: metadata)
            return false
        }
    }
}
