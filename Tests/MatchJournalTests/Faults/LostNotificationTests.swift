// A notification may be lost unnoticed; the tables are read at intervals all the same.

import JournalSamples
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite(.timeLimit(.minutes(1))) struct LostNotificationTests {
    @Test("P9: a change without a notification is published within a second")
    func changesWithoutNotificationsArePublished() async throws {
        let bench = try await JournalBench()
        // It listens in another database: notifications stay within their database.
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
        // Each ball directly follows a read, so that it waits for the next one.
        let median = waits.sorted()[2]
        #expect(median < .seconds(1), "\(waits)")
        #expect(median > JournalLimits.pollInterval / 2, "no notification was received: \(waits)")
    }
}
