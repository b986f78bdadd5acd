// A notification may be lost without anybody noticing; the tables are looked at all the same.

import JournalSamples
import MatchSamples
import Postgres
import ScoreTypes
import Testing

@testable import MatchJournal

@Suite(.timeLimit(.minutes(1))) struct LostNotificationTests {
    @Test("P9: what no notification tells of is published within a second") func deafListener() async throws {
        let bench = try await JournalBench()
        // It listens where nobody speaks: notifications stay within their database.
        let elsewhere = try await ScratchDatabase.make()
        let (published, input) = AsyncStream.makeStream(of: Publication.self)
        let cache = PublicationCache(journal: bench.journal, clock: ServiceClock(speed: 100), scheme: "score")
        let publisher = Publisher(cache, info: elsewhere) { input.yield($0) }
        let running = Task { await publisher.run() }
        var publications = published.makeAsyncIterator()
        let writer = bench.writer()
        var book = Scorebook.begun
        var waits: [Duration] = []
        for _ in 0..<5 {
            book.ball(1, striker: "Surya")
            let start = ContinuousClock.now
            _ = try await writer.accept(book.snapshot, seenAt: Instant(milliseconds: 1_700_000_000_500))
            _ = try #require(await publications.next())
            waits.append(ContinuousClock.now - start)
        }
        running.cancel()
        await running.value
        // Each ball follows a look at once, so that it waits for the next one.
        let median = waits.sorted()[2]
        #expect(median < .seconds(1), "\(waits)")
        #expect(median > JournalLimits.pollInterval / 2, "and nobody had heard of it: \(waits)")
    }
}
