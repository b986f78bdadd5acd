// A silent feed is reported also where no ball is due yet, and never for a match that is over (F1).

import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct RestingSilenceTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)
    /// Ten minutes after the clock's zero.
    private static let start = ManualClock.wallAtZero + .seconds(600)

    /// A writer that counts its commits.
    private struct Setup {
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

        /// Advances time, with an unchanged answer after each span.
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
    func aSilenceBeforeTheFirstBallIsPublishedWhenPlayIsDue(status: MatchStatus) async throws {
        let setup = try await Setup()
        _ = try await setup.writer.accept(Self.waiting(status).snapshot, seenAt: Self.seen)
        #expect(try await setup.writer.tick() == .seconds(600))
        setup.clock.advance(by: .seconds(599))
        _ = try await setup.writer.tick()
        #expect(try await setup.since == nil)
        setup.clock.advance(by: .seconds(1))
        _ = try await setup.writer.tick()
        #expect(try await setup.since == ManualClock.wallAtZero)
        // It is reported once, and an answer ends it.
        let written = setup.written
        setup.clock.advance(by: .seconds(3_600))
        #expect(try await setup.writer.tick() == nil)
        #expect(setup.written == written)
        try await setup.writer.unchanged(seenAt: Self.seen)
        #expect(try await setup.since == nil)
    }

    @Test func aLateStartWithRepliesIsNoSilence() async throws {
        let setup = try await Setup()
        _ = try await setup.writer.accept(Self.waiting(.toss).snapshot, seenAt: Self.seen)
        let written = setup.written
        try await setup.answers(60, every: .seconds(66))
        #expect(setup.written == written)
        // A match that is polled seldom is silent only after twice that interval.
        await setup.writer.isPolledAgain(in: .seconds(600))
        try await setup.answers(3, every: .seconds(600))
        #expect(setup.written == written)
        setup.clock.advance(by: .seconds(1_200))
        _ = try await setup.writer.tick()
        #expect(try await setup.since != nil)
    }

    @Test func aMatchWithoutAStartIsNeverSilentBeforePlay() async throws {
        let setup = try await Setup()
        _ = try await setup.writer.accept(Self.waiting(.toss, startsAt: nil).snapshot, seenAt: Self.seen)
        setup.clock.advance(by: .seconds(86_400))
        #expect(try await setup.writer.tick() == nil)
        #expect(try await setup.since == nil)
    }

    @Test func aSilenceBetweenDaysIsPublishedAfterThreePolls() async throws {
        let setup = try await Setup()
        _ = try await setup.writer.accept(Self.waiting(.stumps).snapshot, seenAt: Self.seen)
        let written = setup.written
        try await setup.answers(30, every: .seconds(330))
        #expect(setup.written == written)
        setup.clock.advance(by: .seconds(1_079))
        _ = try await setup.writer.tick()
        #expect(try await setup.since == nil)
        setup.clock.advance(by: .seconds(1))
        _ = try await setup.writer.tick()
        #expect(try await setup.since != nil)
    }

    @Test func aResultEndsASilentMatch() async throws {
        let setup = try await Setup()
        var book = Scorebook.begun
        book.ball(1)
        _ = try await setup.writer.accept(book.snapshot, seenAt: Self.seen)
        setup.clock.advance(by: .seconds(600))
        _ = try await setup.writer.tick()
        #expect(try await setup.since != nil)
        let override = MatchOverride(
            value: .result(ProviderResult(kind: .awarded, winner: .first)),
            expiresAt: ManualClock.wallAtZero + .seconds(7_200),
            actor: "token:ann",
            reason: "the feed is dead"
        )
        try await setup.bench.journal.set(override, of: Scorebook.match)
        try await setup.writer.steer()
        #expect(try await setup.bench.publications().compactMap(\.alertKey) == ["res"])
        #expect(try await setup.bench.journal.head(of: Scorebook.match)?.phase == .over)
        #expect(try await setup.since == nil)
        let written = setup.written
        for _ in 0..<3 {
            setup.clock.advance(by: .seconds(60))
            _ = try await setup.writer.tick()
        }
        #expect(setup.written == written)
        #expect(try await setup.since == nil)
    }

    @Test func aResultDuringRainHasNoKeepAlive() async throws {
        let setup = try await Setup()
        var book = Scorebook.begun
        book.ball(1)
        book.status = StatusReport(status: .rain)
        book.result = ProviderResult(kind: .awarded, winner: .first)
        _ = try await setup.writer.accept(book.snapshot, seenAt: Self.seen)
        let written = setup.written
        try await setup.answers(30, every: .seconds(60))
        #expect(setup.written == written)
    }
}
