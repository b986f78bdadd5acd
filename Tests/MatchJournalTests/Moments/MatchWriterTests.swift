// From reply to rows: each reply of a poller is in the journal exactly once, whatever fails in between.

import Glibc
import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct MatchWriterTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)

    @Test func aWicketIsPublishedSilentlyAndAnnouncedWhenConfirmed() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        var book = Scorebook.begun
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        book.ball(out: ["Rohit Sharma"])
        guard case .applied = try await writer.accept(book.snapshot, seenAt: Self.seen) else {
            Issue.record("the wicket was not applied")
            return
        }
        var rows = try await bench.publications()
        #expect(rows.map(\.priority) == [5, 5])
        #expect(rows.map(\.alertKey) == [nil, nil])
        clock.advance(by: .seconds(10))
        try await writer.unchanged(seenAt: Self.seen)
        rows = try await bench.publications()
        #expect(rows.map(\.priority) == [5, 5, 10])
        #expect(rows.last?.alertKey == "w:1:1")
        #expect(rows.last?.cause == .confirmation)
        #expect(try await bench.changes().last == .confirmed([MomentKey("w:1:1")]))
        #expect(try await bench.journal.announced(of: Scorebook.match).map(\.subject) == ["Rohit Sharma"])
        // No announcement is left.
        try await writer.unchanged(seenAt: Self.seen)
        #expect(try await writer.accept(book.snapshot, seenAt: Self.seen) == .unchanged)
        #expect(try await bench.publications().count == 3)
    }

    @Test func anUnchangedReplyWritesNothing() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        book.ball(1)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        let rows = try await bench.count("journal")
        #expect(try await writer.accept(book.snapshot, seenAt: Self.seen) == .unchanged)
        #expect(try await bench.count("journal") == rows)
    }

    @Test func theBoundConfirmsWithoutAReply() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        var book = Scorebook.begun
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        book.ball(out: ["Rohit Sharma"])
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        #expect(try await writer.tick() == .seconds(25))
        clock.advance(by: .seconds(25))
        // The only thing left to wait for is the feed.
        #expect(try await writer.tick() == JournalLimits.silenceInPlay - .seconds(25))
        #expect(try await bench.publications().last?.alertKey == "w:1:1")
    }

    @Test("H2: a pending moment is announced once after a restart")
    func aPendingMomentIsAnnouncedOnceAfterARestart() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var book = Scorebook.begun
        let first = bench.writer(clock: clock)
        _ = try await first.accept(book.snapshot, seenAt: Self.seen)
        book.ball(out: ["Rohit Sharma"])
        _ = try await first.accept(book.snapshot, seenAt: Self.seen)
        // The process dies here; another takes over with the rows only.
        let second = bench.writer(clock: clock)
        #expect(try await second.tick() == .seconds(25))
        #expect(try await bench.publications().count == 2)
        clock.advance(by: .seconds(10))
        guard case .applied = try await second.accept(book.snapshot, seenAt: Self.seen) else {
            Issue.record("the moment was lost")
            return
        }
        let third = bench.writer()
        #expect(try await third.accept(book.snapshot, seenAt: Self.seen) == .unchanged)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:1"])
    }

    @Test("F11: corrections are silent and no alert is sent twice")
    func correctionsAreSilentAndAlertsAreSentOnce() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var book = Scorebook.begun
        var writer = bench.writer(clock: clock)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        book.ball(out: ["Rohit Sharma"])
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        clock.advance(by: .seconds(10))
        try await writer.unchanged(seenAt: Self.seen)
        for out in [[], ["Rohit Sharma"], [], ["Rohit Sharma"]] {
            book.amend(0) { $0.dismissals = out.map(Scorebook.dismissal) }
            _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
            clock.advance(by: .seconds(10))
            try await writer.unchanged(seenAt: Self.seen)
            writer = bench.writer(clock: clock)
            clock.advance(by: .seconds(10))
            try await writer.unchanged(seenAt: Self.seen)
        }
        let rows = try await bench.publications()
        #expect(rows.compactMap(\.alertKey) == ["w:1:1"])
        #expect(rows.suffix(4).map(\.priority) == [5, 5, 5, 5])
        #expect(try await bench.count("announced_moment") == 1)
    }

    @Test func aSuspiciousReplyIsHeldAndConfirmsNothing() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        var book = Scorebook.begun
        for _ in 0..<8 { book.ball(1) }
        book.ball(out: ["Rohit Sharma"])
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        let whole = book
        book.deliveries.removeFirst(6)
        clock.advance(by: .seconds(10))
        #expect(try await writer.accept(book.snapshot, seenAt: Self.seen) == .held(.massWithdrawal))
        #expect(try await bench.publications().compactMap(\.alertKey).isEmpty)
        _ = try await writer.accept(whole.snapshot, seenAt: Self.seen)
        clock.advance(by: .seconds(10))
        _ = try await writer.accept(whole.snapshot, seenAt: Self.seen)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:1"])
    }

    @Test func theResultIsAnnouncedWithTheFinalStatus() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        book.ball(4)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        book.end(winner: .first)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        let row = try #require(try await bench.publications().last)
        #expect(row.alertKey == "res")
        #expect(row.priority == 10)
        let match = try #require(try await bench.journal.matches(phases: [.over]).first)
        #expect(match.overAt != nil)
        #expect(String(decoding: match.summary, as: UTF8.self).contains("MI"))
    }

    @Test func aWaitingMatchHasAKeepAliveEveryTwentyMinutes() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        var book = Scorebook.begun
        book.ball(4)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        book.status = StatusReport(status: .rain)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        let before = try await bench.publications().count
        #expect(try await writer.tick() == JournalLimits.silenceInBreak)
        clock.advance(by: .seconds(1199))
        try await writer.unchanged(seenAt: Self.seen)
        #expect(try await writer.tick() == .seconds(1))
        #expect(try await bench.publications().count == before)
        clock.advance(by: .seconds(1))
        #expect(try await writer.tick() == JournalLimits.silenceInBreak - .seconds(1))
        let row = try #require(try await bench.publications().last)
        #expect(row.cause == .keepAlive)
        #expect(row.priority == 5)
        #expect(try await bench.publications().count == before + 1)
    }

    @Test func aChangedHeadIsReadAgain() async throws {
        let bench = try await JournalBench()
        var book = Scorebook.begun
        let (one, other) = (bench.writer(), bench.writer())
        _ = try await one.accept(book.snapshot, seenAt: Self.seen)
        try await other.unchanged(seenAt: Self.seen)
        book.ball(1)
        _ = try await one.accept(book.snapshot, seenAt: Self.seen)
        // The other writer still has the head without the ball, and writes the same ball and one more.
        book.ball(2)
        _ = try await other.accept(book.snapshot, seenAt: Self.seen)
        let balls = try await bench.changes().filter { if case .inserted = $0 { true } else { false } }
        #expect(balls.count == 2)
    }

    @Test("H3: a writer whose term is over writes nothing") func aFencedWriterWritesNothing() async throws {
        let bench = try await JournalBench()
        try await bench.script("delete from node")
        let failure = await #expect(throws: JournalError.self) {
            try await bench.writer().accept(Scorebook.begun.snapshot, seenAt: Self.seen)
        }
        guard case .fenced = failure else {
            Issue.record("expected .fenced, got \(String(describing: failure))")
            return
        }
        #expect(try await bench.count("journal") == 0)
    }

    @Test(.timeLimit(.minutes(1))) func aCommitOfUnknownOutcomeIsNotRepeated() async throws {
        let bench = try await JournalBench()
        let place = try #require(
            try await bench.pool.query(
                Statement("select btrim(current_setting('unix_socket_directories'), '\"'), current_database()")
            ) { (try $0.text(0), try $0.text(1)) }.first
        )
        let thief = try CommitThief(
            server: "\(place.0)/.s.PGSQL.5432",
            database: place.1,
            directory: "/tmp/thief-\(getpid())-\(place.1)"
        )
        defer { thief.stop() }
        let pool = Pool(thief.info, size: 1, name: "robbed")
        let writer = bench.writer(journal: Journal(pool: pool))
        var book = Scorebook.begun
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        book.ball(out: ["Rohit Sharma"])
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        book.amend(0) { $0.isFinal = true }
        book.ball(1, striker: "Surya")
        thief.arm()
        guard case .applied(let revision) = try await writer.accept(book.snapshot, seenAt: Self.seen) else {
            Issue.record("the ball was committed, and has to count as applied")
            return
        }
        #expect(thief.stolenCount == 1)
        #expect(try await bench.journal.head(of: Scorebook.match)?.revision == revision)
        #expect(try await writer.accept(book.snapshot, seenAt: Self.seen) == .unchanged)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:1"])
        let balls = try await bench.changes().filter { if case .inserted = $0 { true } else { false } }
        #expect(balls.count == 2)
        await pool.close()
    }

    @Test func concurrentCallsAreSerialized() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var books = [Scorebook.begun]
        for _ in 0..<6 {
            var next = try #require(books.last)
            next.ball(1)
            books.append(next)
        }
        let newest = try #require(books.last)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask { _ = try await writer.accept(newest.snapshot, seenAt: Self.seen) }
                group.addTask { try await writer.unchanged(seenAt: Self.seen) }
            }
            // Calls above the limit of waiting ones are refused.
            while let result = await group.nextResult() {
                guard case .failure(let error) = result else { continue }
                guard case JournalError.busy = error else { throw error }
            }
        }
        let balls = try await bench.changes().filter { if case .inserted = $0 { true } else { false } }
        #expect(balls.count == 6)
    }
}
