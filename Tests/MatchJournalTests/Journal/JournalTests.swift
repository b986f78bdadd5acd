// The journal is the durable intent to publish; its guarantees are tested with a real Postgres.

import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import Testing

@testable import MatchJournal

@Suite struct JournalTests {
    private static let ball: Delivery = {
        var book = Scorebook.begun
        book.ball(4, out: ["Rohit Sharma"])
        return book.deliveries[0]
    }()

    private static let everyChange: [Change] = [
        .info(Scorebook.begun.info),
        .innings(Scorebook.begun.innings[0]),
        .inserted(ball),
        .amended(ball),
        .status(StatusReport(status: .rain, note: "Covers „on“\nagain", since: 1_700_000_100, day: 2)),
        .result(ProviderResult(kind: .wickets(7), winner: .second, method: "DLS")),
        .result(nil),
        .confirmed([MomentKey("w:1:1"), MomentKey("inn:1")]),
        .keepAlive,
        .withdrawn(ball.key),
        .inningsWithdrawn(ordinal: 1),
    ]

    @Test func everyChangeIsReadBackUnchanged() async throws {
        let bench = try await JournalBench()
        _ = try await bench.open()
        let append = JournalBench.append(Self.everyChange, after: 0)
        let head = try await bench.journal.append(append, fence: JournalBench.fence)
        #expect(head.revision.number == Int64(Self.everyChange.count))
        let entries = try await bench.journal.entries(of: Scorebook.match, after: 0)
        #expect(entries.map(\.change) == Self.everyChange)
        #expect(entries.map(\.revision) == Array(1...Int64(Self.everyChange.count)))
        #expect(try await bench.journal.entries(of: Scorebook.match, after: 3, limit: 2).map(\.revision) == [4, 5])
        let columns = try await bench.pool.query(
            Statement("select kind || ' ' || coalesce(item_key, '-') from journal order by rev")
        ) { try $0.text(0) }
        #expect(columns.prefix(4) == ["info -", "innings 1", "inserted ball-0", "amended ball-0"])
        #expect(
            columns.suffix(4) == ["confirmed w:1:1 inn:1", "keepAlive -", "withdrawn ball-0", "inningsWithdrawn 1"]
        )
    }

    @Test func theHeadHasOnePublication() async throws {
        let bench = try await JournalBench()
        #expect(try await bench.open().revision == Revision(epoch: try #require(JournalBench.epoch), number: 0))
        let announced = [AnnouncedMoment(key: MomentKey("w:1:1"), subject: "Rohit Sharma")]
        let append = JournalBench.append(
            [.inserted(Self.ball), .confirmed(announced.map(\.key))],
            after: 0,
            announced: announced
        )
        let head = try await bench.journal.append(append, fence: JournalBench.fence)
        let row = try #require(try await bench.publications().first)
        #expect(row.revision == 2)
        #expect(row.apnsTimestamp == head.apnsTimestamp)
        #expect(row.seenAt == append.seenAt)
        #expect(row.priority == 10)
        #expect(row.alertKey == "w:1:1")
        #expect(row.cause == .confirmation)
        #expect(row.announced == announced)
        #expect(try await bench.journal.announced(of: Scorebook.match) == announced)
        let match = try #require(try await bench.journal.matches(phases: [.live]).first)
        #expect(match.head.revision == head.revision)
        #expect(match.startsAt == append.facts.startsAt)
        #expect(match.overAt == nil)
        #expect(try await bench.journal.matches(phases: [.scheduled, .over]).isEmpty)
        #expect(try #require(try await bench.journal.sincePublication(of: Scorebook.match)) < .seconds(60))
    }

    @Test func reopeningKeepsTheEpoch() async throws {
        let bench = try await JournalBench()
        let first = try await bench.open()
        let other = try #require(Epoch("zzzzzzzz"))
        let again = try await bench.journal.open(Scorebook.match, feed: Scorebook.feed, epoch: other)
        #expect(again.revision == first.revision)
    }

    @Test func aFailedAppendWritesNothing() async throws {
        let bench = try await JournalBench()
        _ = try await bench.open()
        try await bench.script(
            """
            create function refuse() returns trigger language plpgsql as $$ begin raise exception 'refused'; end $$;
            create trigger refuse before insert on announced_moment for each row execute function refuse();
            """
        )
        let announced = [AnnouncedMoment(key: MomentKey("w:1:1"), subject: "Rohit Sharma")]
        await #expect(throws: JournalError.self) {
            try await bench.journal.append(
                JournalBench.append([.inserted(Self.ball)], after: 0, announced: announced),
                fence: JournalBench.fence
            )
        }
        #expect(try await bench.count("journal") == 0)
        #expect(try await bench.count("publication") == 0)
        let head = try #require(try await bench.journal.head(of: Scorebook.match))
        #expect(head.revision.number == 0)
        #expect(head.apnsTimestamp == 0)
        #expect(head.phase == .scheduled)
    }

    @Test func anOldTermWritesNothing() async throws {
        let bench = try await JournalBench()
        _ = try await bench.open()
        // The node registers again: its old process, which may still run, is fenced at once.
        try await bench.script("update node set term = 2 where node_id = 'node-1'")
        let failure = await #expect(throws: JournalError.self) {
            try await bench.journal.append(
                JournalBench.append([.inserted(Self.ball)], after: 0),
                fence: JournalBench.fence
            )
        }
        guard case .fenced = failure else {
            Issue.record("expected .fenced, got \(String(describing: failure))")
            return
        }
        #expect(try await bench.count("journal") == 0)
    }

    @Test func anUnexpectedHeadIsAConflict() async throws {
        let bench = try await JournalBench()
        _ = try await bench.open()
        let append = JournalBench.append([.inserted(Self.ball)], after: 0)
        _ = try await bench.journal.append(append, fence: JournalBench.fence)
        let failure = await #expect(throws: JournalError.self) {
            try await bench.journal.append(append, fence: JournalBench.fence)
        }
        guard case .conflict(expected: 0, found: 1) = failure else {
            Issue.record("expected a conflict, got \(String(describing: failure))")
            return
        }
        #expect(try await bench.count("publication") == 1)
    }

    @Test func anUnknownMatchIsAnError() async throws {
        let bench = try await JournalBench()
        let failure = await #expect(throws: JournalError.self) {
            try await bench.journal.append(JournalBench.append([.keepAlive], after: 0), fence: nil)
        }
        guard case .unknownMatch = failure else {
            Issue.record("expected .unknownMatch, got \(String(describing: failure))")
            return
        }
        #expect(try await bench.journal.head(of: Scorebook.match) == nil)
        #expect(try await bench.journal.release(Scorebook.match) == false)
    }

    @Test func theTimestampGrowsWithManyStatesInASecond() async throws {
        let bench = try await JournalBench()
        _ = try await bench.open()
        for revision in 0..<Int64(12) {
            _ = try await bench.journal.append(JournalBench.append([.keepAlive], after: revision), fence: nil)
        }
        let stamps = try await bench.publications().map(\.apnsTimestamp)
        #expect(stamps.count == 12)
        #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 })
        let head = try #require(try await bench.journal.head(of: Scorebook.match))
        // Ahead of Postgres' clock by the states of one second at most.
        #expect(head.apnsTimestamp - head.readAt.seconds <= 12)
    }

    @Test func aCorrectionOfManyBallsAdvancesTheTimestampByOne() async throws {
        let bench = try await JournalBench()
        _ = try await bench.open()
        try await bench.script("update match set apns_ts = 4000000000")
        let changes = [Change](repeating: .amended(Self.ball), count: 200)
        let head = try await bench.journal.append(JournalBench.append(changes, after: 0), fence: nil)
        #expect(head.revision.number == 200)
        #expect(head.apnsTimestamp == 4_000_000_001)
    }

    @Test func theEndIsDatedOnceAndCanBeWithdrawn() async throws {
        let bench = try await JournalBench()
        _ = try await bench.open()
        let over = try await bench.journal.append(JournalBench.append([.keepAlive], after: 0, phase: .over), fence: nil)
        #expect(over.overFor != nil)
        try await bench.script("update match set over_at = now() - interval '100 s'")
        let still = try await bench.journal.append(
            JournalBench.append([.keepAlive], after: 1, phase: .over),
            fence: nil
        )
        #expect(try #require(still.overFor) >= .seconds(100))
        #expect(try await bench.journal.heads(overWithin: .seconds(3600)).count == 1)
        #expect(try await bench.journal.heads(overWithin: .seconds(60)).isEmpty)
        let back = try await bench.journal.append(JournalBench.append([.keepAlive], after: 2), fence: nil)
        #expect(back.overFor == nil)
    }

    @Test func aNulInANameIsReplaced() async throws {
        let bench = try await JournalBench()
        _ = try await bench.open()
        let note = StatusReport(status: .live, note: "a\0b \\u0000 c")
        _ = try await bench.journal.append(JournalBench.append([.status(note)], after: 0), fence: nil)
        #expect(try await bench.changes() == [.status(StatusReport(status: .live, note: "a\u{fffd}b \\u0000 c"))])
    }

    @Test("H16: an unreadable entry names its revision") func anUnreadableEntryNamesItsRevision() async throws {
        let bench = try await JournalBench()
        _ = try await bench.open()
        _ = try await bench.journal.append(JournalBench.append([.keepAlive], after: 0), fence: nil)
        try await bench.script(#"update journal set body = '{"fromTheFuture": {}}'"#)
        let failure = await #expect(throws: JournalError.self) {
            try await bench.journal.entries(of: Scorebook.match, after: 0)
        }
        guard case .unreadable(revision: 1, _) = failure else {
            Issue.record("expected .unreadable, got \(String(describing: failure))")
            return
        }
    }

    @Test(.timeLimit(.minutes(1))) func aCommitSendsANotification() async throws {
        let bench = try await JournalBench()
        _ = try await bench.open()
        let listener = Listener(bench.info, channels: ["publication"])
        defer { listener.stop() }
        var heard = listener.notifications.makeAsyncIterator()
        #expect(await heard.next() == .reconnected)
        _ = try await bench.journal.append(JournalBench.append([.keepAlive], after: 0), fence: nil)
        #expect(await heard.next() == .message(channel: "publication", payload: Scorebook.match.text))
        try await bench.journal.hold(Scorebook.match, reason: "wrong teams")
        #expect(await heard.next() == .message(channel: "publication", payload: Scorebook.match.text))
        #expect(try await bench.journal.head(of: Scorebook.match)?.heldReason == "wrong teams")
    }
}
