// A fault of a feed, from its bytes to the journal's rows and to the metrics.

import CoreMetrics
import JournalSamples
import MatchEngine
import MatchSamples
import MetricsTestKit
import ScoreTypes
import Synchronization
import TestSupport

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// A feed, its poller, and a writer with its own database, whose clock the test moves.
struct FaultyFeed {
    static let feed = Scorebook.feed
    static let match = MatchID(unchecked: "m1")
    static let list = Array(#"{"matches":[{"id":"m1","state":"live"}]}"#.utf8)
    /// A list without the match; its only match is years away.
    private static let others = Array(#"{"matches":[{"id":"m2","startsAt":4000000000}]}"#.utf8)

    let bench: JournalBench
    let hand = ManualClock()
    let server: ScriptedServer
    /// Answers like `server` at its former address.
    let reopen: @Sendable () throws -> ScriptedServer
    let sink: WatchedSink
    let service: IngestService
    private let metrics = TestMetrics()

    /// Starts the server.
    ///
    /// - Parameters:
    ///   - adapter: Reads the answers.
    ///   - isDown: Whether connections are cut.
    ///   - isRefused: Whether everything is answered with 429.
    ///   - isListed: Whether the list has the match.
    ///   - answer: The answer of the match's address, by the number of the request from 1.
    /// - Throws: When database or server does not start.
    init(
        adapter: any Adapter = CricsheetAdapter(),
        isDown: @escaping @Sendable () -> Bool = { false },
        isRefused: @escaping @Sendable () -> Bool = { false },
        isListed: @escaping @Sendable () -> Bool = { true },
        _ answer: @escaping @Sendable (Int) -> [UInt8]
    ) async throws {
        bench = try await JournalBench()
        let count = Mutex(0)
        let script: ScriptedServer.Script = { request, write in
            if isDown() { return false }
            if isRefused() { return write(ScriptedServer.reply(status: 429)) }
            if request.path == "/matches" {
                return write(ScriptedServer.reply(body: isListed() ? Self.list : Self.others))
            }
            let number = count.withLock { count in
                count += 1
                return count
            }
            return write(answer(number))
        }
        let server = try ScriptedServer(script)
        self.server = server
        reopen = { try ScriptedServer(port: server.port, script) }
        let sink = WatchedSink(bench.writer(Self.match, clock: hand))
        self.sink = sink
        service = withMetricsFactory(metrics) {
            IngestService(
                feeds: [
                    FeedConfiguration(
                        id: Self.feed,
                        baseURL: server.url,
                        adapter: adapter,
                        security: .local()
                    )
                ],
                driver: TransferDriver(name: "test-faults"),
                clock: ServiceClock(speed: 10_000),
                mayPoll: { _ in true },
                makeSink: { _, _ in sink }
            )
        }
    }

    /// The value of a counter of the feed.
    func count(_ name: String, _ label: String, _ word: String) throws -> Int64 {
        try metrics.expectCounter(name, [("feed", Self.feed.text), (label, word)]).totalValue
    }

    /// All values recorded under a name of the feed's metrics.
    func recorded(_ name: String) throws -> [Double] {
        try metrics.expectRecorder(name, [("feed", Self.feed.text)]).values
    }

    func run(_ body: () async throws -> Void) async throws {
        let task = Task { await service.run() }
        defer {
            task.cancel()
            server.stop()
        }
        try await body()
    }

    func publications() async throws -> [PublicationRow] {
        try await bench.publications(of: Self.match)
    }

    func silentSince() async throws -> Instant? {
        try await bench.journal.head(of: Self.match)?.silentSince
    }

    func balls() async throws -> Int {
        try await bench.changes(of: Self.match)
            .count { if case .inserted = $0 { true } else { false } }
    }
}
