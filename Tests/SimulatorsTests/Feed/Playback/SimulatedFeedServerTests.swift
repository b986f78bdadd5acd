// The simulated feed over HTTP, polled by the real poller, with all faults of a connection.

import CurlTransfer
import Hummingbird
import MatchEngine
import Providers
import ScoreIngest
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import ScoreLab
@testable import Simulators

@Suite(.timeLimit(.minutes(5))) struct SimulatedFeedServerTests {
    /// The speed of the match: a ball each 29 ms, so that the poller sees most of them.
    private static let speed = 1_200
    private static let id = "4242"
    private static let key = "sesame"
    /// Faults without real time: a slow answer costs the poller its whole deadline, and `Retry-After` is real.
    private static let faults: Set<FeedFault> = FeedProof.healing.subtracting([
        .slowStart, .drip, .unavailable, .tooMany, .skewedClock,
    ])

    /// Runs a feed on a free port during a test's body.
    private func serving(
        _ feed: SimulatedFeed,
        _ body: (Int) async throws -> Void
    ) async throws {
        let (ports, tell) = AsyncStream.makeStream(of: Int.self)
        let server = SimulatedFeedServer.application(feed, host: "127.0.0.1", port: 0) { tell.yield($0) }
        let task = Task { try await server.serve() }
        defer { task.cancel() }
        let port = try #require(await ports.first { _ in true })
        feed.open()
        try await body(port)
    }

    private static func document() throws -> CricsheetDocument {
        try CricsheetDocument(json: DemoMatch.document)
    }

    private static func sheet(_ record: MatchRecord, _ provider: Provider) -> ScoreSheet? {
        guard let info = record.info else { return nil }
        let snapshot = MatchSnapshot(
            info: info,
            innings: record.innings,
            deliveries: record.deliveries,
            status: record.status,
            result: record.result
        )
        return provider == .cricketData ? ScoreSheet(totalsOf: snapshot) : ScoreSheet(snapshot)
    }

    @Test(arguments: Provider.allCases) func aPollerEndsAtTheScorecard(provider: Provider) async throws {
        let document = try Self.document()
        let plan = FaultPlan(seed: 7, faults: Self.faults)
        let clock = ServiceClock(speed: Self.speed)
        let match = try PlaybackMatch(id: ProviderMatchID(unchecked: Self.id), document: document, plan: plan)
        let shape = FeedShapes.shape(of: provider, key: Self.key)
        let feed = SimulatedFeed(matches: [match], shape: shape, plan: plan, clock: clock)
        let sink = RehearsalSink(MatchID(unchecked: Self.id), provider, clock: clock)
        let direct = try CricsheetAdapter().snapshot(of: document)
        let wanted = provider == .cricketData ? ScoreSheet(totalsOf: direct) : ScoreSheet(direct)
        try await serving(feed) { port in
            let service = Self.service(provider, port: port, clock: clock, sink)
            let polling = Task { await service.run() }
            defer { polling.cancel() }
            var last: ScoreSheet?
            for await record in sink.records {
                last = record.result == nil ? nil : Self.sheet(record, provider)
                if last == wanted { break }
            }
            let sheet = try #require(last)
            #expect(sheet.differences(from: wanted).isEmpty)
            let status = await service.status()[0]
            #expect(status.unreadable > 0, "no faulty reply was served")
        }
    }

    /// Polls a finished match longer, so that an old copy is not its last reply at this speed.
    private static func patient(_ provider: Provider) -> Cadence {
        var cadence = Cadence(of: provider)
        cadence.tail = .seconds(100_000)
        cadence.lateTail = .seconds(100_000)
        return cadence
    }

    private static func service(
        _ provider: Provider,
        port: Int,
        clock: ServiceClock,
        _ sink: RehearsalSink
    ) -> IngestService {
        let key = Secret(Self.key)
        return IngestService(
            feeds: [
                FeedConfiguration(
                    id: FeedID(unchecked: "simulated"),
                    baseURL: "http://127.0.0.1:\(port)",
                    adapter: AdapterRegistry.adapter(for: provider),
                    credentials: ProviderCredentials(project: FeedShapes.project, key: key, secret: key),
                    security: .local(),
                    cadence: patient(provider)
                )
            ],
            driver: TransferDriver(name: "test-simulated-feed"),
            clock: clock,
            mayPoll: { _ in true },
            makeSink: { _, _ in sink }
        )
    }

    /// Each faulty reply by name, as a client sees it.
    @Test(arguments: FeedFault.allCases.filter { !$0.isOfBalls }) func everyFaultIsServed(fault: FeedFault)
        async throws
    {
        let plan = FaultPlan(seed: 1, faults: [fault])
        let document = try Self.document()
        let match = try PlaybackMatch(id: ProviderMatchID(unchecked: Self.id), document: document, plan: plan)
        // Faults with a duration are checked in their first period.
        let spell = (0..<50).lazy.compactMap { plan.spell($0) }.first
        #expect((spell != nil) == fault.comesInSpells)
        let time = ManualClock()
        let feed = SimulatedFeed(
            matches: [match],
            shape: FeedShapes.shape(of: .cricsheet),
            plan: plan,
            clock: time.clock()
        )
        let driver = TransferDriver(name: "test-fault")
        // An old copy, repeated keys, a byte order mark, UTF-16, a wrong clock, and a list without balls
        // can all be read.
        let isHarmless =
            [.flipFlop, .stuck, .duplicateKeys, .bom, .utf16, .skewedClock, .emptyList].contains(fault)
        try await serving(feed) { port in
            time.advance(by: spell?.from ?? .zero)
            var spoilt = 0
            for _ in 0..<(fault == .skewedClock ? 1 : 40) where spoilt == 0 {
                let transfer = Transfer(
                    method: "GET",
                    url: "http://127.0.0.1:\(port)/matches/\(Self.id)",
                    headers: [],
                    body: [],
                    deadline: isHarmless ? .seconds(60) : .seconds(2),
                    security: .local()
                )
                do throws(TransferError) {
                    let reply = try await driver.perform(transfer)
                    let teams = try? CricsheetAdapter().snapshot(reply.body).info.teams.map(\.name)
                    if reply.status != 200 || teams != document.info.teams { spoilt += 1 }
                } catch {
                    spoilt += 1
                }
            }
            #expect((spoilt > 0) != isHarmless)
        }
    }
}
