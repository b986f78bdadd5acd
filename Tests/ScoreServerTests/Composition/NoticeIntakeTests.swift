// A webhook's notice reaches the polling node, or its sender receives an error and repeats it.

import CurlTransfer
import MatchJournal
import Postgres
import Providers
import ScoreIngest
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer
@testable import Simulators

@Suite(.timeLimit(.minutes(1))) struct NoticeIntakeTests {
    private static let feed = FeedID(unchecked: "main")
    private static let body = Array(
        #"{"data_kind":"match-entry-update","data":{"matchkey":"m1","ts":1234567890},"push_reason":"Update"}"#.utf8
    )

    /// The webhook of a node that polls nothing.
    private static func intake(_ pool: Pool) -> NoticeIntake {
        let clock = ServiceClock()
        let ingest = IngestService(
            feeds: [],
            driver: TransferDriver(name: "notices"),
            clock: clock,
            mayPoll: { _ in false },
            makeSink: { _, _ in throw CancellationError() }
        )
        let settings = FeedSettings(id: feed, provider: .roanuz, url: "http://127.0.0.1:9")
        return NoticeIntake(ingest: ingest, records: FeedRecords(pool: pool), settings: [settings], clock: clock)
    }

    @Test func aNoticeThatWasNotForwardedMayBeSentAgain() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 1, name: "notices")
        let intake = Self.intake(pool)
        await pool.close()
        for _ in 0..<2 {
            await #expect(throws: (any Error).self) { try await intake.take(Self.body, feed: Self.feed) }
        }
    }

    /// Half a megabyte of gzip that unpacks to 80 MB.
    @Test("C8: a body that unpacks to too much is too large") func aBodyThatUnpacksToTooMuchIsTooLarge() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 1, name: "notices")
        let problem = await #expect(throws: ServiceProblem.self) {
            try await Self.intake(pool).take(GzipBomb.body, feed: Self.feed)
        }
        #expect(problem?.status == 413 && problem?.extras.first?.name == "limitBytes")
        await pool.close()
    }

    @Test func aForwardedNoticeCountsOnce() async throws {
        let pool = Pool(try await ScratchDatabase.make(), size: 1, name: "notices")
        let intake = Self.intake(pool)
        #expect(try await intake.take(Self.body, feed: Self.feed) == .forwarded)
        #expect(try await intake.take(Self.body, feed: Self.feed) == .repeated)
        await pool.close()
    }

    /// The ball decides which over is requested.
    @Test func theNoticeIsForwardedWithItsBall() async throws {
        let info = try await ScratchDatabase.make()
        let pool = Pool(info, size: 1, name: "notices")
        let listener = Listener(info, channels: [IngestOrder.channel])
        defer { listener.stop() }
        var heard = listener.notifications.makeAsyncIterator()
        #expect(await heard.next() == .reconnected)
        let body = #"""
            {"data_kind":"match-entry-update","data":{"matchkey":"m1","ts":1234567890,"push_reason":"Update",
            "match_push_kind":"Ball","ball":{"ball_key":1049280,"over":1,"batting_order":2,"is_delete":true}}}
            """#
        #expect(try await Self.intake(pool).take(Array(body.utf8), feed: Self.feed) == .forwarded)
        guard case .message(_, let payload) = await heard.next(), let order = IngestOrder(payload),
            case .notice(Self.feed, let notice) = order
        else {
            Issue.record("the ball was not forwarded")
            return
        }
        #expect(notice.ball == ProviderNotice.Ball(innings: 2, over: 1))
        #expect(notice.match.text == "m1")
        await pool.close()
    }
}
