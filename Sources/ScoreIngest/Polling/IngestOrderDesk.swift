// What other nodes and operators ask of this one while it polls.

internal import Logging
public import Postgres
public import ScoreTypes

/// Hears orders and carries out those that are this node's.
public struct IngestOrderDesk: Sendable {
    private let info: ConnectionInfo
    private let ingest: IngestService
    private let keeper: MatchKeeper
    private let records: AliasRecords
    private let aliases: AliasDesk
    private let captured: @Sendable (AliasBook) -> Void
    private let paused: @Sendable () async throws -> Set<FeedID>

    /// Makes a desk; nothing is heard before `run`.
    ///
    /// - Parameters:
    ///   - info: Where to LISTEN.
    ///   - ingest: The feeds of this node.
    ///   - keeper: Hears of what operators say of matches.
    ///   - records: The alias table.
    ///   - aliases: This node's copy of it.
    ///   - captured: Told of each new copy.
    ///   - paused: The feeds that operators have paused, whichever node they asked.
    public init(
        info: ConnectionInfo,
        ingest: IngestService,
        keeper: MatchKeeper,
        records: AliasRecords,
        aliases: AliasDesk,
        captured: @escaping @Sendable (AliasBook) -> Void = { _ in },
        paused: @escaping @Sendable () async throws -> Set<FeedID>
    ) {
        self.info = info
        self.ingest = ingest
        self.keeper = keeper
        self.records = records
        self.aliases = aliases
        self.captured = captured
        self.paused = paused
    }

    /// Listens until cancelled.
    public func run() async {
        await loadAliases()
        await turnFeeds()
        let listener = Listener(info, channels: [IngestOrder.channel])
        await withTaskCancellationHandler {
            for await notification in listener.notifications {
                switch notification {
                case .message(_, let payload): if let order = IngestOrder(payload) { await carryOut(order) }
                // Orders may have been missed; lists are read again anyway.
                case .reconnected:
                    keeper.attendAll()
                    await loadAliases()
                    await turnFeeds()
                }
            }
        } onCancel: {
            listener.stop()
        }
    }

    private func carryOut(_ order: IngestOrder) async {
        switch order {
        case .poll(let feed, let match): if await ingest.polls(feed) { await ingest.notice(feed, match) }
        case .feed(_, .turn): await turnFeeds()
        case .feed(let feed, .poll): await ingest.pollNow(feed)
        case .feed(let feed, .reset): await ingest.resetBreaker(feed)
        case .aliases: await loadAliases()
        case .steer(let match): keeper.attend(match)
        }
    }

    /// Pauses what operators have paused, and nothing else.
    private func turnFeeds() async {
        do { await ingest.pause(only: try await paused()) } catch {
            Logger(label: "score.ingest").warning("paused feeds not read", metadata: ["reason": "\(error)"])
        }
    }

    private func loadAliases() async {
        guard let book = try? await records.book(), aliases.take(book) else { return }
        captured(book)
        await ingest.aliasesChanged()
    }
}
