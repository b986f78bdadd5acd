// What other nodes and operators ask of this one while it polls.

internal import Logging
public import Postgres
public import Providers
public import ScoreTypes
internal import Synchronization

/// Hears orders and carries out those that are this node's.
///
/// Two tables stand behind the orders: aliases, and the feeds that are paused. Each is read when the desk starts, when
/// listening begins and when somebody says that it has changed; one that cannot be read is read again.
public struct IngestOrderDesk: Sendable {
    /// Real time after which a table that could not be read is read again.
    static let retryInterval: Duration = .seconds(1)
    /// Real time that passes at most before the desk looks at its own list again.
    static let idle: Duration = .seconds(3_600)

    private let info: ConnectionInfo
    private let ingest: IngestService
    private let keeper: MatchKeeper
    private let book: @Sendable () async throws -> AliasBook
    private let aliases: AliasDesk
    private let captured: @Sendable (AliasBook) -> Void
    private let paused: @Sendable () async throws -> Set<FeedID>
    private let chores = DeskChores()
    private let allRead: AsyncStream<Void>
    private let tellAllRead: AsyncStream<Void>.Continuation

    /// Makes a desk; nothing is heard before `run`.
    ///
    /// - Parameters:
    ///   - info: Where to LISTEN.
    ///   - ingest: The feeds of this node.
    ///   - keeper: Hears of what operators say of matches.
    ///   - book: Reads the alias table.
    ///   - aliases: This node's copy of it.
    ///   - captured: Told of each new copy.
    ///   - paused: The feeds that operators have paused, whichever node they asked.
    public init(
        info: ConnectionInfo,
        ingest: IngestService,
        keeper: MatchKeeper,
        book: @escaping @Sendable () async throws -> AliasBook,
        aliases: AliasDesk,
        captured: @escaping @Sendable (AliasBook) -> Void = { _ in },
        paused: @escaping @Sendable () async throws -> Set<FeedID>
    ) {
        self.info = info
        self.ingest = ingest
        self.keeper = keeper
        self.book = book
        self.aliases = aliases
        self.captured = captured
        self.paused = paused
        (allRead, tellAllRead) = AsyncStream.makeStream()
    }

    /// Listens until cancelled.
    public func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.work() }
            await listen()
            group.cancelAll()
        }
    }

    /// Waits until `run` has read both tables once, or the task is cancelled; for one caller.
    ///
    /// Who polls before it asks feeds that are paused, and takes up matches under names that are not ours.
    public func ready() async { for await _ in allRead {} }

    private func listen() async {
        let listener = Listener(info, channels: [IngestOrder.channel])
        await withTaskCancellationHandler {
            for await notification in listener.notifications {
                switch notification {
                case .message(_, let payload): if let order = IngestOrder(payload) { await carryOut(order) }
                // Orders may have been missed; lists are read again anyway.
                case .reconnected:
                    keeper.attendAll()
                    for chore in DeskChore.allCases { chores.call(chore) }
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
        case .feed(_, .turn): chores.call(.turnFeeds)
        case .feed(let feed, .poll): await ingest.pollNow(feed)
        case .feed(let feed, .reset): await ingest.resetBreaker(feed)
        case .aliases: chores.call(.loadAliases)
        case .steer(let match): keeper.attend(match)
        }
    }

    /// Reads what was called for, one table at a time: an answer never overtakes a later one.
    private func work() async {
        while !Task.isCancelled {
            var hasFailed = false
            for chore in chores.take() {
                do {
                    switch chore {
                    case .loadAliases: try await loadAliases()
                    case .turnFeeds: try await turnFeeds()
                    }
                } catch {
                    hasFailed = true
                    chores.putBack(chore)
                    let metadata: Logger.Metadata = ["chore": "\(chore.rawValue)", "reason": "\(error)"]
                    Logger(label: "score.ingest").warning("table of operators not read", metadata: metadata)
                }
            }
            if !hasFailed { tellAllRead.finish() }
            _ = await chores.signal.sleep(hasFailed ? Self.retryInterval : Self.idle)
        }
    }

    /// Pauses what operators have paused, and nothing else.
    private func turnFeeds() async throws { await ingest.pause(only: try await paused()) }

    private func loadAliases() async throws {
        let book = try await book()
        guard aliases.take(book) else { return }
        captured(book)
        await ingest.aliasesChanged()
    }
}

/// A table to be read.
private enum DeskChore: String, Sendable, CaseIterable {
    case loadAliases, turnFeeds
}

/// What a desk has to read; all of it at first.
private final class DeskChores: Sendable {
    let signal = WakeSignal()
    private let pending = Mutex(Set(DeskChore.allCases))

    func call(_ chore: DeskChore) {
        putBack(chore)
        signal.fire()
    }

    func putBack(_ chore: DeskChore) { _ = pending.withLock { $0.insert(chore) } }

    /// Those that wait, in a fixed order.
    func take() -> [DeskChore] {
        let taken = pending.withLock { pending in
            defer { pending = [] }
            return pending
        }
        return DeskChore.allCases.filter(taken.contains)
    }
}
