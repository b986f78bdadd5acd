// A dead feed is told also where no ball is due yet, and never of a match that is over (F1).

import MatchEngine
import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct RestingSilenceTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)
    /// Ten minutes after the clock's zero.
    private static let start = ManualClock.wallAtZero + .seconds(600)

    /// A writer with a count of what it has made known.
    private struct Desk {
        let bench: JournalBench
        let clock = ManualClock()
        let writer: MatchWriter
        private let commits: Commits

        private final class Commits: Sendable {
            let count = Atomic(0)
        }

        init() async throws {
            let (bench, commits) = (try await JournalBench(), Commits())
            self.bench = bench
            self.commits = commits
            writer = MatchWriter(
                match: Scorebook.match,
                feed: Scorebook.feed,
                journal: bench.journal,
                fence: { JournalBench.fence },
                clock: clock.clock(),
                committed: { _ in commits.count.add(1, ordering: .relaxed) }
            )
        }

        var written: Int { commits.count.load(ordering: .relaxed) }

        var since: Instant? {
            get async throws { try await bench.journal.head(of: Scorebook.match)?.silentSince }
        }

        /// Lets time pass, with an answer without news after each span.
        func answers(_ times: Int, every span: Duration) async throws {
            for _ in 0..<times {
                clock.advance(by: span)
                _ = try await writer.tick()
                try await writer.unchanged(seenAt: RestingSilenceTests.seen)
            }
        }
    }

    /// A match that waits: for its first ball, for another day.
    private static func waiting(_ status: MatchStatus, startsAt: Int64? = start.seconds) -> Scorebook {
        var book = Scorebook(format: status == .stumps ? .test : .t20)
        if status == .stumps {
            book.begin(innings: 1, batting: .first)
            book.ball(1)
        }
        book.info.startsAt = startsAt
        book.status = StatusReport(status: status)
        return book
    }

    @Test(arguments: [MatchStatus.scheduled, .toss, .startDelayed])
    func aFeedThatDiesBeforeTheFirstBallIsToldWhenPlayIsDue(status: MatchStatus) async throws {
        let desk = try await Desk()
        _ = try await desk.writer.accept(Self.waiting(status).snapshot, seenAt: Self.seen)
        #expect(try await desk.writer.tick() == .seconds(600))
        desk.clock.advance(by: .seconds(599))
        _ = try await desk.writer.tick()
        #expect(try await desk.since == nil)
        desk.clock.advance(by: .seconds(1))
        _ = try await desk.writer.tick()
        #expect(try await desk.since == ManualClock.wallAtZero)
        // Told is told, and an answer ends it.
        let written = desk.written
        desk.clock.advance(by: .seconds(3_600))
        #expect(try await desk.writer.tick() == nil)
        #expect(desk.written == written)
        try await desk.writer.unchanged(seenAt: Self.seen)
        #expect(try await desk.since == nil)
    }

    @Test func aLateStartOfAFeedThatAnswersIsNoSilence() async throws {
        let desk = try await Desk()
        _ = try await desk.writer.accept(Self.waiting(.toss).snapshot, seenAt: Self.seen)
        let written = desk.written
        try await desk.answers(60, every: .seconds(66))
        #expect(desk.written == written)
        // Whoever is asked seldom is silent only after twice that.
        await desk.writer.asksAgain(in: .seconds(600))
        try await desk.answers(3, every: .seconds(600))
        #expect(desk.written == written)
        desk.clock.advance(by: .seconds(1_200))
        _ = try await desk.writer.tick()
        #expect(try await desk.since != nil)
    }

    @Test func nobodyKnowsWhenAMatchWithoutAStartIsDue() async throws {
        let desk = try await Desk()
        _ = try await desk.writer.accept(Self.waiting(.toss, startsAt: nil).snapshot, seenAt: Self.seen)
        desk.clock.advance(by: .seconds(86_400))
        #expect(try await desk.writer.tick() == nil)
        #expect(try await desk.since == nil)
    }

    @Test func aFeedThatDiesBetweenDaysIsToldAfterThreeLooks() async throws {
        let desk = try await Desk()
        _ = try await desk.writer.accept(Self.waiting(.stumps).snapshot, seenAt: Self.seen)
        let written = desk.written
        try await desk.answers(30, every: .seconds(330))
        #expect(desk.written == written)
        desk.clock.advance(by: .seconds(1_079))
        _ = try await desk.writer.tick()
        #expect(try await desk.since == nil)
        desk.clock.advance(by: .seconds(1))
        _ = try await desk.writer.tick()
        #expect(try await desk.since != nil)
    }

    @Test func aResultAloneEndsAMatchThatNobodyReports() async throws {
        let desk = try await Desk()
        var book = Scorebook.begun
        book.ball(1)
        _ = try await desk.writer.accept(book.snapshot, seenAt: Self.seen)
        desk.clock.advance(by: .seconds(600))
        _ = try await desk.writer.tick()
        #expect(try await desk.since != nil)
        let override = MatchOverride(
            value: .result(ProviderResult(kind: .awarded, winner: .first)),
            expiresAt: ManualClock.wallAtZero + .seconds(7_200),
            actor: "token:ann",
            reason: "the feed is dead"
        )
        try await desk.bench.journal.set(override, of: Scorebook.match)
        try await desk.writer.steer()
        #expect(try await desk.bench.publications().compactMap(\.alertKey) == ["res"])
        #expect(try await desk.bench.journal.head(of: Scorebook.match)?.phase == .over)
        #expect(try await desk.since == nil)
        let written = desk.written
        for _ in 0..<3 {
            desk.clock.advance(by: .seconds(60))
            _ = try await desk.writer.tick()
        }
        #expect(desk.written == written)
        #expect(try await desk.since == nil)
    }

    @Test func aResultUnderAWordOfRainKeepsNothingAlive() async throws {
        let desk = try await Desk()
        var book = Scorebook.begun
        book.ball(1)
        book.status = StatusReport(status: .rain)
        book.result = ProviderResult(kind: .awarded, winner: .first)
        _ = try await desk.writer.accept(book.snapshot, seenAt: Self.seen)
        let written = desk.written
        try await desk.answers(30, every: .seconds(60))
        #expect(desk.written == written)
    }
}
