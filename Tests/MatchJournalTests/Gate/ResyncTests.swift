// An operator rebuilds a match from its feed past the gate; the epoch changes only where the journal was wrong.

import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct ResyncTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)
    private static let source = JournalSource(.cricsheet, Scorebook.feed)

    private static func over() -> Scorebook {
        var book = Scorebook.begun
        for runs in [1, 2, 0, 4, 1, 1] { book.ball(runs) }
        return book
    }

    private static func reply(_ book: Scorebook, epoch: String? = nil) throws -> SeenReply {
        var reply = SeenReply(book.snapshot, seenAt: seen, source: source)
        reply.resyncEpoch = try epoch.map { try #require(Epoch($0)) }
        return reply
    }

    @Test("O4: a resync takes back what the gate would hold, in a new epoch")
    func anOrderedReplyTakesBackWhatTheGateWouldHold() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Self.over()
        _ = try await writer.accept(Self.reply(book))
        let before = try #require(try await bench.journal.head(of: Scorebook.match)).revision
        book.deliveries.removeAll()
        guard case .dropped = try await writer.accept(Self.reply(book)) else {
            Issue.record("the gate accepted an empty list")
            return
        }
        guard case .applied(let revision) = try await writer.accept(Self.reply(book, epoch: "Resync01")) else {
            Issue.record("the ordered reply was not applied")
            return
        }
        #expect(revision.epoch.text == "Resync01" && revision.number == before.number + 6)
        let head = try #require(try await bench.journal.head(of: Scorebook.match))
        #expect(head.revision == revision)
        // The writer goes on in the new epoch.
        book.ball(6)
        guard case .applied(let next) = try await writer.accept(Self.reply(book)) else {
            Issue.record("a new ball was not applied")
            return
        }
        #expect(next.epoch.text == "Resync01" && next.number == revision.number + 1)
        await bench.pool.close()
    }

    @Test("O4: a match that agrees with its feed keeps its epoch")
    func aMatchThatAgreesWithItsFeedKeepsItsEpoch() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Self.over()
        _ = try await writer.accept(Self.reply(book))
        let before = try #require(try await bench.journal.head(of: Scorebook.match)).revision
        #expect(try await writer.accept(Self.reply(book, epoch: "Resync01")) == .unchanged)
        book.ball(4)
        guard case .applied(let revision) = try await writer.accept(Self.reply(book, epoch: "Resync02")) else {
            Issue.record("a new ball was not applied")
            return
        }
        #expect(revision == Revision(epoch: before.epoch, number: before.number + 1), "a new ball is no difference")
        await bench.pool.close()
    }

    @Test func theStateIsPublishedAgainWithoutAChange() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        try await writer.republish()
        #expect(try await bench.count("journal") == 0, "an unknown match has no state")
        _ = try await writer.accept(Self.reply(Self.over()))
        let before = try #require(try await bench.publications().last)
        try await writer.republish()
        let after = try #require(try await bench.publications().last)
        #expect(after.revision == before.revision + 1 && after.cause == .keepAlive && after.alertKey == nil)
        #expect(try await bench.changes().last == .keepAlive)
        let shown = try await bench.journal.publishedRevision(of: Scorebook.match, notAfter: after.revision)
        #expect(shown == after.revision)
        let none = try await bench.journal.publishedRevision(of: Scorebook.match, notAfter: 0)
        #expect(none == nil)
        await bench.pool.close()
    }
}
