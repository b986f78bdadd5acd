// An operator's override replaces the feed's value for a time, as its own revision.

import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct OverrideTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)

    private static func override(_ value: OverrideValue, for seconds: Int64 = 600) -> MatchOverride {
        MatchOverride(
            value: value,
            expiresAt: ManualClock.wallAtZero + .seconds(seconds),
            actor: "token:ann",
            reason: "the feed is wrong"
        )
    }

    private static func bench() async throws -> (JournalBench, ManualClock, MatchWriter, Scorebook) {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        var book = Scorebook.begun
        book.ball(1)
        _ = try await writer.accept(book.snapshot, seenAt: ManualClock.wallAtZero)
        return (bench, clock, writer, book)
    }

    @Test func aStatusOverrideEndsWithItsTime() async throws {
        var (bench, clock, writer, book) = try await Self.bench()
        #expect(try await bench.journal.set(Self.override(.status(.rain, note: "Covers are on")), of: Scorebook.match))
        try await writer.steer()
        #expect(try await writer.stored().record.status.status == .rain)
        let statement = try #require(try await bench.journal.statements(of: Scorebook.match).last)
        #expect(statement.source == .operator)
        #expect(statement.entry.change == .status(StatusReport(status: .rain, note: "Covers are on")))
        // The feed still reports live, and balls still count.
        book.ball(4)
        _ = try await writer.accept(book.snapshot, seenAt: ManualClock.wallAtZero + .seconds(5))
        #expect(try await writer.stored().record.status.status == .rain)
        #expect(try await writer.stored().record.deliveries.count == 2)
        clock.advance(by: .seconds(600))
        _ = try await writer.tick()
        #expect(try await writer.stored().record.status.status == .live)
    }

    @Test(
        "F16: a match that is removed under a status override ends with the override",
        arguments: [
            MatchStatus.rain, .abandoned,
        ]
    )
    func aRemovalUnderAStatusOverrideAppliesAtItsEnd(said: MatchStatus) async throws {
        let (bench, clock, writer, _) = try await Self.bench()
        try await bench.journal.set(Self.override(.status(said, note: nil)), of: Scorebook.match)
        try await writer.steer()
        try await writer.removed()
        #expect(try await writer.stored().record.status.status == said)
        #expect(try await bench.journal.head(of: Scorebook.match)?.isRemoved == false)
        clock.advance(by: .seconds(600))
        _ = try await writer.tick()
        #expect(try await writer.stored().record.status.status == .abandoned)
        #expect(try await bench.journal.head(of: Scorebook.match)?.phase == .over)
        // Another writer, which reads only the stored rows, has the same status.
        let later = bench.writer(clock: clock)
        _ = try await later.tick()
        #expect(try await later.stored().record.status.status == .abandoned)
    }

    @Test("F16: the end of another override does not return a removed match to play")
    func theEndOfAnOverrideRevivesNoRemovedMatch() async throws {
        let (bench, clock, writer, _) = try await Self.bench()
        let target = Target(runs: 101, balls: 60, method: "DLS")
        try await bench.journal.set(Self.override(.target(innings: 1, target)), of: Scorebook.match)
        try await writer.steer()
        try await writer.removed()
        #expect(try await bench.journal.head(of: Scorebook.match)?.isRemoved == true)
        clock.advance(by: .seconds(600))
        _ = try await writer.tick()
        #expect(try await writer.stored().record.status.status == .abandoned)
    }

    @Test func liftingAnOverrideRestoresTheFeedAtOnce() async throws {
        let (bench, _, writer, _) = try await Self.bench()
        let target = Target(runs: 101, balls: 60, method: "DLS")
        try await bench.journal.set(Self.override(.target(innings: 1, target)), of: Scorebook.match)
        try await writer.steer()
        #expect(try await writer.stored().record.innings[0].target == target)
        #expect(try await bench.journal.liftOverride("target", of: Scorebook.match))
        try await writer.steer()
        #expect(try await writer.stored().record.innings[0].target == nil)
        #expect(try await bench.journal.liftOverride("target", of: Scorebook.match) == false)
    }

    @Test func aNewNodeAppliesStoredOverrides() async throws {
        var (bench, clock, writer, book) = try await Self.bench()
        try await bench.journal.set(
            Self.override(.result(ProviderResult(kind: .noResult))),
            of: Scorebook.match
        )
        try await bench.journal.set(Self.override(.status(.abandoned, note: nil)), of: Scorebook.match)
        try await writer.steer()
        writer = bench.writer(clock: clock)
        let journal = try await bench.count("journal")
        _ = try await writer.accept(book.snapshot, seenAt: ManualClock.wallAtZero + .seconds(5))
        #expect(try await bench.count("journal") == journal)
        #expect(try await writer.stored().record.result == ProviderResult(kind: .noResult))
        // When its time is over the feed's live status returns at once, though a return is otherwise seen twice.
        clock.advance(by: .seconds(700))
        _ = try await writer.tick()
        #expect(try await writer.stored().record.status.status == .live)
        book.ball(1)
    }

    @Test func feedValuesUnderAnOverrideSurviveARestart() async throws {
        var (bench, clock, writer, book) = try await Self.bench()
        let target = Target(runs: 101, balls: 60, method: "DLS")
        for value in [OverrideValue.status(.rain, note: nil), .target(innings: 1, target), .startsAt(1_900_000_000)] {
            try await bench.journal.set(Self.override(value), of: Scorebook.match)
        }
        try await writer.steer()
        // The feed has another value by now, and then it falls silent for good.
        book.status = StatusReport(status: .tea)
        book.info.startsAt = 1_700_000_600
        book.innings[0].target = Target(runs: 150)
        _ = try await writer.accept(book.snapshot, seenAt: ManualClock.wallAtZero + .seconds(5))
        #expect(try await writer.stored().record.status.status == .rain)
        writer = bench.writer(clock: clock)
        #expect(try await writer.tick() != nil)
        #expect(try await writer.stored().record.innings[0].target == target)
        clock.advance(by: .seconds(600))
        let rows = try await bench.count("publication")
        _ = try await writer.tick()
        let known = try await writer.stored().record
        #expect(known.status.status == .tea && known.info?.startsAt == 1_700_000_600)
        #expect(known.innings[0].target == Target(runs: 150))
        #expect(try await bench.count("publication") == rows + 1)
        // It is recorded once: the next writer has nothing to undo.
        writer = bench.writer(clock: clock)
        _ = try await writer.tick()
        #expect(try await bench.count("publication") == rows + 1)
    }

    @Test func theNextWriterAppliesAMissedLift() async throws {
        var (bench, clock, writer, _) = try await Self.bench()
        try await bench.journal.set(Self.override(.status(.rain, note: nil)), of: Scorebook.match)
        try await writer.steer()
        #expect(try await bench.journal.liftOverride("status", of: Scorebook.match))
        #expect(try await bench.journal.overrides(of: Scorebook.match).isEmpty)
        writer = bench.writer(clock: clock)
        _ = try await writer.tick()
        #expect(try await writer.stored().record.status.status == .live)
    }

    @Test func anOverrideOfAnotherInningsRestoresTheFirstTarget() async throws {
        var (bench, clock, writer, book) = try await Self.bench()
        book.begin(innings: 2, batting: .second)
        book.innings[1].target = Target(runs: 9)
        _ = try await writer.accept(book.snapshot, seenAt: ManualClock.wallAtZero)
        try await bench.journal.set(Self.override(.target(innings: 2, Target(runs: 7))), of: Scorebook.match)
        try await writer.steer()
        try await bench.journal.set(Self.override(.target(innings: 1, Target(runs: 5))), of: Scorebook.match)
        writer = bench.writer(clock: clock)
        try await writer.steer()
        #expect(try await writer.stored().record.innings.map(\.target) == [Target(runs: 5), Target(runs: 9)])
    }

    @Test func aListChangesTheFeedValueUnderAnOverride() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        let book = Scorebook()
        _ = try await writer.accept(book.snapshot, seenAt: ManualClock.wallAtZero)
        try await bench.journal.set(Self.override(.startsAt(1_900_000_000)), of: Scorebook.match)
        try await writer.steer()
        let fixture = Fixture(
            id: ProviderMatchID(unchecked: "77"),
            match: Scorebook.match,
            startsAt: 1_700_003_600,
            teams: book.info.teams
        )
        try await writer.announce(fixture, source: JournalSource(.cricsheet, Scorebook.feed))
        #expect(try await writer.stored().record.info?.startsAt == 1_900_000_000)
        #expect(try await bench.journal.liftOverride("startsAt", of: Scorebook.match))
        try await writer.steer()
        #expect(try await writer.stored().record.info?.startsAt == 1_700_003_600)
    }

    @Test func anOverrideOfAnUnknownMatchIsRefused() async throws {
        let bench = try await JournalBench()
        let known = try await bench.journal.set(Self.override(.startsAt(5)), of: MatchID(unchecked: "nobody"))
        #expect(!known)
    }

    @Test func everyFieldIsReadBackFromTheTable() async throws {
        let (bench, _, _, _) = try await Self.bench()
        let values: [OverrideValue] = [
            .result(ProviderResult(kind: .runs(10), winner: .second, method: "DLS")), .startsAt(4_000_000_000),
            .status(.tea, note: "Tea"), .target(innings: 2, Target(runs: 99)),
        ]
        // Times of the table are the database's: far enough ahead of any clock.
        for value in values {
            let override = MatchOverride(
                value: value,
                expiresAt: Instant(milliseconds: 4_000_000_000_000),
                actor: "token:ann",
                reason: "why"
            )
            try await bench.journal.set(override, of: Scorebook.match)
        }
        let stored = try await bench.journal.overrides(of: Scorebook.match)
        #expect(stored.map(\.value) == values)
        #expect(stored.map(\.value.field).sorted() == OverrideValue.fields.sorted())
    }
}
