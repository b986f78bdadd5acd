// Counts outlive a restart and reach the other nodes; a revoked alert is listed with its confirmation.

import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct EvidenceTests {
    private static let feed = FeedID(unchecked: "one")
    private static let seen = Instant(milliseconds: 1_700_000_000_500)

    @Test func countsOutliveARestart() async throws {
        let bench = try await JournalBench()
        let records = EvidenceRecords(pool: bench.pool)
        let first = CorrectionEvidence()
        let slow = (0..<40).flatMap { _ -> [MomentObservation] in
            [.reported(.caught), .wrong(.caught, lastReportedAt: 14)]
        }
        first.take(slow + [.reported(.lbw), .wrong(.lbw, lastReportedAt: 400)], of: Scorebook.match, from: Self.feed)
        await EvidenceService(first, records: records).exchange()
        first.take([.reported(.caught)], of: Scorebook.match, from: Self.feed)
        await EvidenceService(first, records: records).exchange()

        let second = CorrectionEvidence()
        await EvidenceService(second, records: records).exchange()
        #expect(second.curves[Self.feed]?[.caught]?.reported == 41)
        #expect(second.curves[Self.feed]?[.caught]?.wrong[14] == 40)
        #expect(second.curves[Self.feed]?[.lbw]?.late == 1)
        #expect(second.curves == first.curves)
        let waits = second.waits(of: Self.feed, ServiceClock())
        #expect(waits.unchanged(.caught) == .seconds(15))
        #expect(waits.unchanged(.bowled) == .seconds(10))
    }

    @Test func storedCountsFadeOut() async throws {
        let bench = try await JournalBench()
        let records = EvidenceRecords(pool: bench.pool)
        let evidence = CorrectionEvidence()
        let many = Array(repeating: MomentObservation.reported(.bowled), count: JournalLimits.curveMoments + 2)
        evidence.take(many + [.wrong(.bowled, lastReportedAt: 3)], of: Scorebook.match, from: Self.feed)
        await EvidenceService(evidence, records: records).exchange()
        #expect(evidence.curves[Self.feed]?[.bowled]?.reported == JournalLimits.curveMoments / 2 + 1)
        #expect(evidence.curves[Self.feed]?[.bowled]?.wrong[3] == 0)
    }

    @Test func countsThatCannotBeStoredWait() async throws {
        let bench = try await JournalBench()
        _ = try await bench.pool.execute("alter table correction rename to correction_away")
        let evidence = CorrectionEvidence()
        let service = EvidenceService(evidence, records: EvidenceRecords(pool: bench.pool))
        evidence.take([.reported(.caught)], of: Scorebook.match, from: Self.feed)
        await service.exchange()
        evidence.take([.reported(.caught)], of: Scorebook.match, from: Self.feed)
        _ = try await bench.pool.execute("alter table correction_away rename to correction")
        await service.exchange()
        #expect(try await EvidenceRecords(pool: bench.pool).curves()[Self.feed]?[.caught]?.reported == 2)
    }

    @Test func aStartReadsTheCountsAfterAFailure() async throws {
        let bench = try await JournalBench()
        let records = EvidenceRecords(pool: bench.pool)
        let earlier = CorrectionEvidence()
        earlier.take([.reported(.caught)], of: Scorebook.match, from: Self.feed)
        await EvidenceService(earlier, records: records).exchange()
        // The first two readings fail; the numbers of a sequence outlive them.
        try await bench.script(
            """
            alter table correction rename to correction_away;
            create sequence reading;
            create function readings() returns setof correction_away language plpgsql as $$
            begin
                if nextval('reading') <= 2 then raise exception 'not yet'; end if;
                return query select * from correction_away;
            end $$;
            create view correction as select * from readings();
            """
        )
        let evidence = CorrectionEvidence()
        let service = EvidenceService(evidence, records: records)
        await service.begin(within: .zero)
        #expect(evidence.curves.isEmpty, "one attempt, which failed")
        await service.begin(within: .seconds(60))
        #expect(evidence.curves == earlier.curves)
        let last = Statement("select last_value from reading")
        #expect(try await bench.pool.query(last) { try $0.int(0) } == [3], "none after the one that succeeded")
    }

    @Test func aRevokedAlertIsListedWithItsConfirmation() async throws {
        let bench = try await JournalBench()
        let clock = ManualClock()
        let evidence = CorrectionEvidence()
        let records = EvidenceRecords(pool: bench.pool)
        let writer = bench.writer(clock: clock, evidence: evidence)
        var book = Scorebook.begun
        book.ball(1)
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        let wicket = book.ball(out: ["Rohit Sharma"])
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        clock.advance(by: .seconds(11))
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        clock.advance(by: .seconds(6))
        book.amend(wicket) { $0.dismissals = [] }
        _ = try await writer.accept(book.snapshot, seenAt: Self.seen)
        await EvidenceService(evidence, records: records).exchange()
        let revoked = try await records.revoked(limit: 10).alerts.map(\.alert)
        #expect(revoked.map(\.match) == [Scorebook.match])
        let moment = try #require(revoked.first?.moment)
        #expect(moment.key == "w:1:1")
        #expect(moment.kind == .bowled)
        #expect(moment.title == "Wicket!")
        #expect(moment.confirmedBy == .unchanged)
        #expect(moment.waited == 11)
        #expect(moment.lastReportedAt == 11, "the last reply that had it")
    }

    @Test func revokedAlertsAreReadPageByPage() async throws {
        let bench = try await JournalBench()
        let records = EvidenceRecords(pool: bench.pool)
        let insert: Statement = """
            insert into revoked_alert
                (match_id, feed_id, kind, alert_key, title, body, confirmed_by, waited, last_reported_at)
            select 'm', 'main', case n when 3 then 'of a newer server' else 'bowled' end, 'w:1:' || n, 'Wicket!', 'out',
                'unchanged', 11, 11
            from generate_series(1, 5) n
            """
        try await bench.pool.execute(insert)
        var (pages, before): ([[String]], Int64?) = ([], nil)
        repeat {
            let page = try await records.revoked(before: before, limit: 2)
            pages.append(page.alerts.map(\.alert.moment.key))
            before = page.next
        } while before != nil && pages.count < 5
        #expect(pages == [["w:1:5", "w:1:4"], ["w:1:2"], ["w:1:1"]])
    }
}
