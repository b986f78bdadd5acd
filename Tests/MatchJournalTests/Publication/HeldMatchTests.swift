// A match that an operator holds is not published by any node, and is published once at its release.

import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import MatchJournal

@Suite(.timeLimit(.minutes(1))) struct HeldMatchTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)

    /// The publications of a publisher.
    private final class Kept: Sendable {
        private let kept = Mutex<(publications: [Publication], heads: [JournalHead])>(([], []))

        var publications: [Publication] { kept.withLock { $0.publications } }
        var heads: [JournalHead] { kept.withLock { $0.heads } }

        func take(_ publication: Publication) { kept.withLock { $0.publications.append(publication) } }
        func take(_ head: JournalHead) { kept.withLock { $0.heads.append(head) } }
    }

    /// Runs a node's publisher around the body.
    private func publishing(_ bench: JournalBench, _ body: (Publisher, Kept) async throws -> Void) async throws {
        let kept = Kept()
        let publisher = Publisher(
            PublicationCache(journal: bench.journal, clock: ServiceClock(speed: 100), scheme: "score"),
            info: bench.info,
            conditionChanged: { head in
                kept.take(head)
                return true
            },
            outlet: { kept.take($0) }
        )
        let running = Task { await publisher.run() }
        do { try await body(publisher, kept) } catch {
            running.cancel()
            throw error
        }
        running.cancel()
        await running.value
    }

    @Test func aHoldAndItsReleaseReachOtherNodes() async throws {
        let bench = try await JournalBench()
        _ = try await bench.writer().accept(Scorebook.begun.snapshot, seenAt: Self.seen)
        try await publishing(bench) { _, node in
            try await eventually("it is published") { node.publications.count == 1 }
            try await bench.journal.hold(Scorebook.match, reason: "wrong teams")
            try await eventually("the hold is seen") { node.heads.last?.heldReason == "wrong teams" }
            try await bench.journal.hold(Scorebook.match, reason: "wrong venue")
            try await eventually("so is a better reason") { node.heads.last?.heldReason == "wrong venue" }
            try await bench.journal.release(Scorebook.match)
            try await eventually("the release is seen") { node.heads.count == 3 && node.heads[2].heldReason == nil }
            #expect(node.publications.count == 1, "nothing has changed meanwhile")
        }
    }

    @Test func aNodeStartedDuringAHoldShowsTheLastPublication() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        book.ball(4)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        let before = try #require(try await bench.journal.head(of: Scorebook.match)?.revision)
        try await bench.journal.hold(Scorebook.match, reason: "wrong teams")
        book.ball(out: ["Rohit Sharma"])
        book.ball(1, striker: "Surya")
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        // A repeated hold keeps the position.
        try await bench.journal.hold(Scorebook.match, reason: "wrong teams")
        try await publishing(bench) { publisher, node in
            try await eventually("the hold is seen") { node.heads.last?.heldReason != nil }
            let shown = try #require(try await publisher.cache.read(Scorebook.match))
            #expect(shown.revision == before && shown.state.innings.first?.wickets == 0)
            #expect(node.publications.isEmpty)
        }
    }

    @Test func aReleaseIsRecordedOnceForEachHold() async throws {
        let bench = try await JournalBench()
        _ = try await bench.open()
        func released() async throws -> Instant? {
            let read = Statement("select released_at from match")
            return try #require(try await bench.pool.query(read) { try $0.timestampIfPresent(0) }.first)
        }
        try await bench.journal.release(Scorebook.match)
        #expect(try await released() == nil, "it was not held")
        try await bench.journal.hold(Scorebook.match, reason: "wrong teams")
        #expect(try await released() == nil)
        try await bench.journal.release(Scorebook.match)
        let first = try #require(try await released())
        try await bench.journal.release(Scorebook.match)
        #expect(try await released() == first, "released once")
    }

    @Test("O3: a release publishes a match that ended long ago, once")
    func aReleasePublishesAMatchThatEndedLongAgo() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        book.ball(4)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        try await bench.journal.hold(Scorebook.match, reason: "wrong teams")
        book.end(winner: .first)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        try await bench.script("update match set over_at = now() - interval '20 minutes'")
        try await publishing(bench) { _, node in
            try await eventually("the hold is seen") { node.heads.last?.heldReason != nil }
            try await bench.journal.release(Scorebook.match)
            try await eventually("its end is published") { node.publications.last?.phase == .over }
            #expect(node.publications.count == 1)
        }
    }

    @Test func aReleaseSendsNoOldAlert() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        try await publishing(bench) { _, node in
            try await eventually("it is published") { node.publications.count == 1 }
            try await bench.journal.hold(Scorebook.match, reason: "wrong teams")
            try await eventually("the hold is seen") { node.heads.last?.heldReason != nil }
            for name in ["Rohit Sharma", "Surya"] {
                book.ball(out: [name])
                book.ball(1, striker: "Hardik")
                _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
            }
            try await bench.script("update publication set at = at - interval '61 seconds'")
            book.ball(1, striker: "Hardik")
            _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
            try await bench.journal.release(Scorebook.match)
            try await eventually("it continues") { node.publications.count == 2 }
            let caughtUp = try #require(node.publications.last)
            #expect(caughtUp.alert == nil && caughtUp.announced.isEmpty && caughtUp.priority == .five)
            #expect(caughtUp.state.innings.first?.wickets == 2)
        }
    }
}
