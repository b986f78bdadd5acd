// Most replies are unchanged; a thousand matches polled every few seconds must not load the database.

import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import Testing

@testable import MatchJournal

@Suite struct QuietPollTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)

    @Test func anUnchangedPollDoesNotUseTheDatabase() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        book.ball(4)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        _ = try await writer.tick()
        // Every query from here on fails.
        await bench.pool.close()
        for _ in 0..<100 {
            #expect(try await writer.accept(book.snapshot, seenAt: Self.seen) == .unchanged)
            try await writer.unchanged(seenAt: Self.seen)
            _ = try await writer.tick()
        }
        book.ball(1)
        await #expect(throws: JournalError.self) { try await writer.accept(book.snapshot, seenAt: Self.seen) }
    }
}
