// A silent feed suspends announcements; its return causes one publication and no burst.

import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct SilenceTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)

    /// A match in play, written once.
    private static func begun(_ bench: JournalBench, _ clock: ManualClock) async throws -> (MatchWriter, Scorebook) {
        let writer = bench.writer(clock: clock)
        var book = Scorebook.begun
        book.ball(1)
        _ = try await writer.accept(book.snapshot, seenAt: seen)
        return (writer, book)
    }

    private static func since(_ bench: JournalBench) async throws -> Instant? {
        try await bench.journal.head(of: Scorebook.match)?.silentSince
    }

    @Test func aSilenceIsPublishedOnceAndAReplyEndsIt() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let (writer, _) = try await Self.begun(bench, clock)
        #expect(try await writer.tick() == JournalLimits.silenceInPlay)
        clock.advance(by: JournalLimits.silenceInPlay - .seconds(1))
        #expect(try await writer.tick() == .seconds(1))
        #expect(try await Self.since(bench) == nil)
        clock.advance(by: .seconds(1))
        _ = try await writer.tick()
        #expect(try await Self.since(bench) == ManualClock.wallAtZero)
        let rows = try await bench.count("publication")
        try await writer.unchanged(seenAt: Self.seen)
        #expect(try await Self.since(bench) == nil)
        // The content never changed, so nothing is published for it.
        #expect(try await bench.count("publication") == rows)
    }

    @Test func aNewBallEndsTheSilenceInItsOwnTransaction() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        clock.advance(by: .seconds(60))
        _ = try await writer.tick()
        #expect(try await Self.since(bench) != nil)
        // Another node takes over during the silence, and reads it from the rows.
        writer = bench.writer(clock: clock)
        book.ball(4)
        guard case .applied = try await writer.accept(book.snapshot, seenAt: Self.seen) else {
            Issue.record("the ball was not applied")
            return
        }
        #expect(try await Self.since(bench) == nil)
    }

    private static func threeWickets(_ book: inout Scorebook) {
        for name in ["Rohit Sharma", "Surya", "Tilak"] {
            book.ball(striker: name, out: [name])
            for _ in 0..<3 { book.ball(1, striker: "Hardik") }
        }
    }

    @Test func severalWicketsOfASilenceAreOneAlert() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        clock.advance(by: .seconds(600))
        _ = try await writer.tick()
        let rows = try await bench.count("publication")
        Self.threeWickets(&book)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        #expect(try await bench.count("publication") == rows + 1)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:3"])
        // The keys are spent, so no later reply announces them again.
        #expect(try await bench.count("announced_moment") == 3)
        clock.advance(by: .seconds(10))
        try await writer.unchanged(seenAt: Self.seen)
        #expect(try await bench.count("publication") == rows + 1)
        _ = writer
    }

    @Test func aWicketOfASilenceIsOldNewsWhenThreeBallsFollow() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        clock.advance(by: .seconds(600))
        _ = try await writer.tick()
        book.ball(out: ["Rohit Sharma"])
        for _ in 0..<3 { book.ball(1, striker: "Hardik") }
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        #expect(try await bench.publications().compactMap(\.alertKey).isEmpty)
        #expect(try await bench.count("announced_moment") == 1)
        writer = bench.writer(clock: clock)
    }

    @Test func aWicketOfASilenceIsNewsWhenTwoBallsFollow() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        clock.advance(by: .seconds(600))
        _ = try await writer.tick()
        book.ball(out: ["Rohit Sharma"])
        for _ in 0..<2 { book.ball(1, striker: "Hardik") }
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:1"])
        writer = bench.writer(clock: clock)
    }

    @Test func aWicketOnTheNewestBallIsAnnounced() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        clock.advance(by: .seconds(600))
        _ = try await writer.tick()
        book.ball(out: ["Rohit Sharma"])
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        clock.advance(by: .seconds(10))
        try await writer.unchanged(seenAt: Self.seen)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:1"])
        writer = bench.writer(clock: clock)
    }

    @Test func providerTimesDistinguishNewFromOldBalls() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        clock.advance(by: .seconds(600))
        _ = try await writer.tick()
        let now = Self.seen.seconds
        func report(_ name: String, age: Int64) async throws {
            let number = book.ball(striker: name, out: [name])
            book.amend(number) { $0.occurredAt = now - age }
            let next = book.ball(1, striker: "Hardik")
            book.amend(next) { $0.occurredAt = now - age + 20 }
            _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        }
        try await report("Rohit Sharma", age: 300)
        #expect(try await bench.publications().compactMap(\.alertKey).isEmpty)
        clock.advance(by: .seconds(600))
        _ = try await writer.tick()
        try await report("Surya", age: 40)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:2"])
        writer = bench.writer(clock: clock)
    }

    @Test(
        "F18: a provider's clock that is an hour wrong suppresses no wicket after a silence",
        arguments: [3_600, 0, -3_600]
    )
    func aClockAnHourWrongSuppressesNoWicket(skew: Int64) async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        clock.advance(by: .seconds(600))
        _ = try await writer.tick()
        let number = book.ball(out: ["Rohit Sharma"])
        book.amend(number) { $0.occurredAt = Self.seen.seconds - 20 + skew }
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        clock.advance(by: .seconds(10))
        try await writer.unchanged(seenAt: Self.seen)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:1"])
        writer = bench.writer(clock: clock)
    }

    @Test func theResultIsAnnouncedAfterAnySilence() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        clock.advance(by: .seconds(1_800))
        _ = try await writer.tick()
        for _ in 0..<20 { book.ball(1) }
        book.end(winner: .first)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["res"])
        #expect(try await writer.tick() == nil)
        writer = bench.writer(clock: clock)
    }

    @Test func timeConfirmsNothingDuringASilence() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        book.ball(out: ["Rohit Sharma"])
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        // The process was stopped for a minute: its first action must not announce old moments.
        clock.advance(by: .seconds(60))
        try await bench.journal.setSilent(Scorebook.match, since: ManualClock.wallAtZero, fence: nil)
        writer = bench.writer(clock: clock)
        clock.advance(by: .seconds(20))
        _ = try await writer.tick()
        #expect(try await bench.publications().compactMap(\.alertKey).isEmpty)
        clock.advance(by: .seconds(10))
        try await writer.unchanged(seenAt: Self.seen)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:1"])
    }

    @Test func anOperatorCanEndASilentMatch() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let (writer, _) = try await Self.begun(bench, clock)
        clock.advance(by: .seconds(600))
        _ = try await writer.tick()
        #expect(try await Self.since(bench) != nil)
        let won = ProviderResult(kind: .awarded, winner: .first)
        for value in [OverrideValue.result(won), .status(.result, note: nil)] {
            let override = MatchOverride(
                value: value,
                expiresAt: ManualClock.wallAtZero + .seconds(7_200),
                actor: "token:ann",
                reason: "the feed is dead"
            )
            try await bench.journal.set(override, of: Scorebook.match)
        }
        try await writer.steer()
        #expect(try await bench.publications().compactMap(\.alertKey) == ["res"])
        #expect(try await Self.since(bench) == nil)
        // When the override ends and the feed is still silent, the match is in play again, and silent again.
        clock.advance(by: .seconds(7_200))
        _ = try await writer.tick()
        #expect(try await Self.since(bench) == ManualClock.wallAtZero)
    }

    @Test func aMatchOutOfPlayIsNotSilent() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        var book = Scorebook()
        book.info.startsAt = nil
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        clock.advance(by: .seconds(3_600))
        #expect(try await writer.tick() == nil)
        #expect(try await Self.since(bench) == nil)
    }

    /// Ages all rows by Postgres' clock.
    private static func age(_ bench: JournalBench, bySeconds seconds: Int64) async throws {
        let journal = Statement("update journal set at = at - make_interval(secs => $1::bigint)")
        let publication = Statement("update publication set at = at - make_interval(secs => $1::bigint)")
        for statement in [journal, publication] {
            _ = try await bench.pool.withConnection { try $0.execute(statement, [.int(seconds)]) }
        }
    }

    @Test func theNextNodePublishesALongOutage() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        try await Self.age(bench, bySeconds: 40)
        clock.advance(by: .seconds(40))
        writer = bench.writer(clock: clock)
        // The first reply may reach the new node, and then the old count continues.
        #expect(try await writer.tick() == .seconds(15))
        clock.advance(by: .seconds(15))
        _ = try await writer.tick()
        let since = try #require(try await Self.since(bench))
        #expect((since - ManualClock.wallAtZero).magnitude < .seconds(5))
        // It is announced once, neither later nor by another node.
        writer = bench.writer(clock: clock)
        clock.advance(by: .seconds(300))
        #expect(try await writer.tick() == nil)
        #expect(try await Self.since(bench) == since)
        let rows = try await bench.count("publication")
        Self.threeWickets(&book)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        try await writer.unchanged(seenAt: Self.seen)
        #expect(try await Self.since(bench) == nil)
        #expect(try await bench.count("publication") == rows + 1)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:3"], "one alert for all of them")
    }

    @Test func anUnpublishedOutageEndsWithACatchUp() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        try await Self.age(bench, bySeconds: 600)
        writer = bench.writer(clock: clock)
        _ = try await writer.tick()
        clock.advance(by: .seconds(2))
        for name in ["Rohit Sharma", "Surya"] {
            book.ball(striker: name, out: [name])
            for _ in 0..<3 { book.ball(1, striker: "Hardik") }
        }
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:2"], "one alert for both")
        #expect(try await Self.since(bench) == nil)
    }

    @Test func timeConfirmsNothingBeforeTheFirstReplyToANode() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        var (writer, book) = try await Self.begun(bench, clock)
        book.ball(out: ["Rohit Sharma"])
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        try await Self.age(bench, bySeconds: 60)
        writer = bench.writer(clock: clock)
        _ = try await writer.tick()
        clock.advance(by: .seconds(12))
        _ = try await writer.tick()
        #expect(try await bench.publications().compactMap(\.alertKey).isEmpty)
        clock.advance(by: .seconds(10))
        try await writer.unchanged(seenAt: Self.seen)
        #expect(try await bench.publications().compactMap(\.alertKey) == ["w:1:1"])
    }
}

extension Duration {
    fileprivate var magnitude: Duration { self < .zero ? .zero - self : self }
}
