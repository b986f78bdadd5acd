// An operator calls any node; the node that polls the feed executes the order.

import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest
@testable import ScoreServer

@Suite(.timeLimit(.minutes(1))) struct FeedOrderTests {
    private static let feed = FeedID(unchecked: "main")

    /// The parts of a node that poll or may poll.
    private struct Node {
        let ingest: IngestService
        let orders: IngestOrderListener
        let aliases = AliasCache()

        init(
            _ info: ConnectionInfo,
            _ journal: Journal,
            speed: Int = 1,
            mayPoll: Bool = false,
            beforeReading: @escaping @Sendable () throws -> Void = {}
        ) {
            let clock = ServiceClock(speed: speed)
            let ingest = IngestService(
                feeds: [
                    FeedConfiguration(
                        id: feed,
                        baseURL: "http://127.0.0.1:9",
                        adapter: CricsheetAdapter(),
                        security: .local()
                    )
                ],
                driver: TransferDriver(name: "orders"),
                clock: clock,
                mayPoll: { _ in mayPoll },
                makeSink: { _, _ in throw CancellationError() }
            )
            self.ingest = ingest
            let records = FeedRecords(pool: journal.connections)
            orders = IngestOrderListener(
                info: info,
                ingest: ingest,
                ticker: MatchTicker(
                    journal: journal,
                    intakes: MatchIntakes(precedence: [:], clock: clock) { _, _ in fatalError("no writer here") },
                    clock: clock,
                    polled: [feed],
                    acquire: { _ in false }
                ),
                table: {
                    try beforeReading()
                    return try await AliasRecords(pool: journal.connections).table()
                },
                aliases: aliases,
                paused: {
                    try beforeReading()
                    return Set(try await records.pausedReasons().keys)
                }
            )
        }

        func run() async {
            await withTaskGroup(of: Void.self) { group in
                group.addTask { await ingest.run() }
                group.addTask { await orders.run() }
            }
        }

        func isPaused() async -> Bool { await ingest.status().first?.activity == .paused }
    }

    @Test func anUnrecordedPauseHasNoEffect() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 1, name: "orders")
        let node = Node(info, Journal(pool: pool))
        let operations = FeedOperations(ingest: node.ingest, records: FeedRecords(pool: pool), settings: [])
        await pool.close()
        await #expect(throws: (any Error).self) { try await operations.pause(Self.feed, reason: "rain of errors") }
        #expect(await !node.isPaused())
        #expect(try await !operations.pause(FeedID(unchecked: "other"), reason: "unknown feed"))
    }

    @Test func aPauseReachesRunningAndLaterNodes() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 3, name: "orders")
        let journal = Journal(pool: pool)
        let (requested, other, later) = (Node(info, journal), Node(info, journal), Node(info, journal))
        let operations = FeedOperations(ingest: requested.ingest, records: FeedRecords(pool: pool), settings: [])
        try await withThrowingTaskGroup(of: Void.self) { group in
            for node in [requested, other] { group.addTask { await node.run() } }
            // An order from before the node listens is read from the table.
            #expect(try await operations.pause(Self.feed, reason: "rain of errors"))
            try await eventually("the other one is paused") { await other.isPaused() }
            group.addTask { await later.run() }
            try await eventually("a later one is paused") { await later.isPaused() }
            #expect(try await operations.resume(Self.feed))
            try await eventually("all are resumed") {
                for node in [requested, other, later] where await node.isPaused() { return false }
                return true
            }
            #expect(try await operations.pause(Self.feed, reason: "again, while all nodes listen"))
            try await eventually("the other one is paused") { await other.isPaused() }
            group.cancelAll()
        }
        #expect(IngestOrder("feed main turn") == .feed(Self.feed, .turn) && IngestOrder("feed main stop") == nil)
        await pool.close()
    }

    @Test func aFailedTableReadIsRetried() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 2, name: "orders")
        let tries = Mutex(0)
        let node = Node(info, Journal(pool: pool)) {
            let number = tries.withLock { tries in
                tries += 1
                return tries
            }
            // Two tables, each read at the start, when listening begins, and once more.
            if number <= 6 { throw PostgresError(.connection, message: "the server is restarting") }
        }
        try await FeedRecords(pool: pool).pause(Self.feed, provider: "", reason: "rain of errors")
        let alias = Alias(.match, .cricsheet, "77", means: "final")
        try await AliasRecords(pool: pool).put([alias])
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await node.run() }
            // A node that waits for both tables does not poll before.
            await node.orders.ready()
            #expect(await node.isPaused())
            #expect(node.aliases.table.aliases == [alias])
            group.cancelAll()
        }
        await pool.close()
    }

    @Test func aNodeExecutesAnOrderOnlyWhenItIsNotified() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 1, name: "orders")
        // Its port has no listener, so its breaker opens.
        let node = Node(info, Journal(pool: pool), speed: 10_000, mayPoll: true)
        let operations = FeedOperations(ingest: node.ingest, records: FeedRecords(pool: pool), settings: [])
        let listener = Listener(info, channels: [IngestOrder.channel])
        defer { listener.stop() }
        var heard = listener.notifications.makeAsyncIterator()
        #expect(await heard.next() == .reconnected)
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await node.ingest.run() }
            try await eventually("the breaker opens") { await node.ingest.status()[0].breaker != .closed }
            #expect(try await operations.send(.reset, to: Self.feed))
            #expect(await node.ingest.status()[0].breaker != .closed)
            #expect(try await operations.send(.poll, to: Self.feed))
            for order in ["feed main reset", "feed main poll"] {
                #expect(await heard.next() == .message(channel: IngestOrder.channel, payload: order))
            }
            #expect(try await !operations.send(.poll, to: FeedID(unchecked: "other")))
            group.cancelAll()
        }
        await pool.close()
    }
}
