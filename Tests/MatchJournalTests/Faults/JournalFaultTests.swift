// Wrong and corrected feed data, as the journal and the followers receive it.

import JournalSamples
import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct JournalFaultTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)

    /// The total of a match in the journal.
    private static func runs(_ bench: JournalBench) async throws -> Int {
        let record = try await bench.writer().stored().record
        return record.deliveries.reduce(0) { $0 + $1.runs.bat }
    }

    @Test("F11: a corrected ball is one silent revision without a second alert")
    func aCorrectedBallIsOneSilentRevision() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        var book = Scorebook.begun
        book.ball(4)
        book.ball(out: ["Rohit Sharma"])
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        clock.advance(by: .seconds(10))
        try await writer.unchanged(seenAt: Self.seen)
        let revision = try #require(try await bench.journal.head(of: Scorebook.match)).revision.number
        book.amend(0) { $0.runs = DeliveryRuns(bat: 6) }
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        try await writer.unchanged(seenAt: Self.seen)
        let head = try #require(try await bench.journal.head(of: Scorebook.match))
        #expect(head.revision.number == revision + 1)
        let last = try #require(try await bench.publications().last)
        #expect(last.alertKey == nil && last.priority == 5)
        #expect(try await bench.publications().compactMap(\.alertKey).count == 1)
        #expect(try await Self.runs(bench) == 6)
    }

    @Test("F12: balls deleted, re-keyed and inserted leave the right total and no old ball")
    func editedBallsLeaveTheRightTotal() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        for runs in [1, 2, 3, 4] { book.ball(runs) }
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        // The second vanishes, the third gets another id, and one is inserted between the first and it.
        book.deliveries.remove(at: 1)
        let old = book.deliveries[1]
        book.deliveries[1] = Self.copy(of: old, key: "again", order: old.order)
        book.deliveries.insert(Self.copy(of: old, key: "between", order: OrderKey(150)), at: 1)
        let snapshot = book.snapshot
        guard case .applied = try await writer.accept(snapshot, seenAt: Self.seen) else {
            Issue.record("the corrections were not applied")
            return
        }
        let record = try await bench.writer().stored().record
        #expect(record.deliveries == snapshot.deliveries)
        #expect(try await Self.runs(bench) == 1 + 3 + 3 + 4)
        let rows = try await bench.publications()
        #expect(rows.count == 2)
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.revision < $1.revision })
    }

    private static func copy(of ball: Delivery, key: String, order: OrderKey) -> Delivery {
        Delivery(
            key: DeliveryKey(key),
            order: order,
            innings: ball.innings,
            over: ball.over,
            striker: ball.striker,
            nonStriker: ball.nonStriker,
            bowler: ball.bowler,
            runs: ball.runs,
            dismissals: ball.dismissals
        )
    }

    @Test("F14: a score that falls without a correction is published when it was seen twice")
    func aScoreFallIsPublishedWhenSeenTwice() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        var book = Scorebook.begun
        for _ in 0..<10 { book.ball(1) }
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        book.deliveries.removeLast(2)
        #expect(try await writer.accept(book.snapshot, seenAt: Self.seen) == .held(.scoreFell))
        clock.advance(by: .seconds(1))
        // So soon it may be the same reply from a cache.
        #expect(try await writer.accept(book.snapshot, seenAt: Self.seen) == .held(.scoreFell))
        #expect(try await Self.runs(bench) == 10)
        clock.advance(by: JournalLimits.copyLife)
        guard case .applied = try await writer.accept(book.snapshot, seenAt: Self.seen) else {
            Issue.record("the second reply was not applied")
            return
        }
        #expect(try await Self.runs(bench) == 8)
    }

    @Test("F16: a match in play that is given up is ended silently and removed, until it returns")
    func anEndedMatchIsRemovedUntilItReturns() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        var book = Scorebook.begun
        book.ball(4)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        clock.advance(by: JournalLimits.silenceInPlay)
        _ = try await writer.tick()
        try await writer.removed()
        let head = try #require(try await bench.journal.head(of: Scorebook.match))
        #expect(head.isRemoved && head.phase == .over)
        #expect(try await writer.stored().record.status.status == .abandoned)
        let published = try await bench.publications().count
        let last = try #require(try await bench.publications().last)
        #expect(last.alertKey == nil && last.priority == 5)
        clock.advance(by: .seconds(60))
        _ = try await writer.tick()
        #expect(try await bench.publications().count == published)
        #expect(try await Self.runs(bench) == 4)
        #expect(try await bench.journal.matches(phases: [.live, .over]).isEmpty)
        // The repeated call changes nothing.
        try await writer.removed()
        #expect(try await bench.journal.head(of: Scorebook.match)?.revision == head.revision)
        // A return from the end has to be seen twice.
        book.ball(1)
        #expect(try await writer.accept(book.snapshot, seenAt: Self.seen) == .held(.resultTakenBack))
        clock.advance(by: JournalLimits.copyLife)
        guard case .applied = try await writer.accept(book.snapshot, seenAt: Self.seen) else {
            Issue.record("the match did not return")
            return
        }
        let back = try #require(try await bench.journal.head(of: Scorebook.match))
        #expect(!back.isRemoved && back.phase == .live)
    }

    @Test("F16: a finished match that the provider no longer lists keeps its card")
    func aFinishedMatchKeepsItsCard() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        book.ball(4)
        book.status = StatusReport(status: .noResult)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        let before = try await bench.publications()
        try await writer.removed()
        #expect(try await bench.publications() == before)
        #expect(try await bench.journal.head(of: Scorebook.match)?.isRemoved == false)
    }

    @Test("F17: super over, new target, forfeited innings, abandonment and the fifth evening are applied in turn")
    func unusualMatchFactsAreApplied() async throws {
        let bench = try await JournalBench()
        let writer = bench.writer()
        var book = Scorebook.begun
        book.ball(4)
        let statuses: [StatusReport] = [
            StatusReport(status: .rain), StatusReport(status: .live), StatusReport(status: .superOverBreak),
            StatusReport(status: .superOver), StatusReport(status: .stumps, day: 5),
            StatusReport(status: .resultPending), StatusReport(status: .abandoned),
        ]
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        book.innings.append(
            InningsInfo(ordinal: 2, batting: .second, target: Target(runs: 60, balls: 52, method: "DLS"))
        )
        for status in statuses {
            book.status = status
            if status.status == .superOver {
                book.innings.append(InningsInfo(ordinal: 3, batting: .second, superOver: 1, isForfeited: true))
            }
            guard case .applied = try await writer.accept(book.snapshot, seenAt: Self.seen) else {
                Issue.record("\(status.status) was not applied")
                continue
            }
            // A stop of play and its end have times, also when the feed has none.
            let since = [.rain, .live].contains(status.status) ? Self.seen.seconds : nil
            let expected = StatusReport(status: status.status, since: since, day: status.day)
            #expect(try await writer.stored().record.status == expected)
        }
        #expect(try await writer.stored().record.innings == book.innings)
        #expect(try await bench.journal.head(of: Scorebook.match)?.phase == .over)
    }

    @Test("F18: a provider's clock that is an hour wrong orders nothing", arguments: [-3_600, 3_600] as [Int64])
    func aSkewedProviderClockOrdersNothing(seconds: Int64) async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let writer = bench.writer(clock: clock)
        var book = Scorebook.begun
        for number in 0..<4 {
            let ball = book.ball(1)
            book.amend(ball) { $0.occurredAt = ManualClock.wallAtZero.seconds + seconds + Int64(number) * 30 }
            guard case .applied = try await writer.accept(book.snapshot, seenAt: clock.clock().wall) else {
                Issue.record("ball \(number) was not applied")
                return
            }
        }
        let rows = try await bench.publications()
        #expect(rows.count == 4)
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.revision < $1.revision })
        #expect(zip(rows, rows.dropFirst()).allSatisfy { $0.apnsTimestamp < $1.apnsTimestamp })
        // The times that phones receive are those of Postgres.
        let head = try #require(try await bench.journal.head(of: Scorebook.match))
        #expect(abs(head.apnsTimestamp - head.readAt.seconds) < 60)
    }
}
