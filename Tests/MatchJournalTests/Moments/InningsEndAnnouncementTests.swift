// After the end of an innings its last ball may still arrive, and an alert cannot be withdrawn.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import MatchJournal

@Suite struct InningsEndAnnouncementTests {
    /// One over a side with five known balls, and the status that it is over.
    private static func short(isDeclared: Bool = false) -> (MomentLifeDriver, Scorebook) {
        var book = Scorebook(format: isDeclared ? .test : .t20)
        if !isDeclared { book.info.ballLimit = 6 }
        book.begin(innings: 1, batting: .first)
        var driver = MomentLifeDriver(watching: book)
        for _ in 0..<5 { book.ball(1) }
        _ = driver.reply(book)
        book.innings[0].isClosed = true
        book.innings[0].isDeclared = isDeclared
        book.status = StatusReport(status: .inningsBreak)
        _ = driver.reply(book)
        return (driver, book)
    }

    @Test(arguments: [false, true]) func anInningsEndedByStatusWaitsForItsLastBall(isDeclared: Bool) {
        var (driver, book) = Self.short(isDeclared: isDeclared)
        #expect(driver.reply(book).isEmpty)
        #expect(driver.wait(.seconds(129)).isEmpty)
        #expect(driver.reply(book).isEmpty)
        book.ball(4)
        #expect(driver.reply(book).isEmpty, "the last ball may be wrong")
        var ends = driver.reply(book).news
        ends += driver.wait(.seconds(150)).news + driver.reply(book).news
        #expect(ends.map(\.body) == [isDeclared ? "MI 9/0d (1 ov)" : "MI 9/0 (1 ov)"])
    }

    @Test func anInningsEndedByStatusIsAnnouncedAfterItsWaitWithAReply() {
        var (driver, book) = Self.short()
        #expect(driver.wait(.seconds(150)).isEmpty)
        #expect(driver.reply(book).news.map(\.body) == ["MI 5/0 (0.5 ov)"])
    }

    @Test func theNextInningsAnnouncesTheInningsEnd() {
        var (driver, book) = Self.short()
        book.begin(innings: 2, batting: .second)
        book.ball()
        #expect(driver.reply(book).keys == ["inn:1"])
    }

    @Test func anInningsWithoutABatterLeftByItsStatusWaitsForItsLastBall() {
        var book = Scorebook(format: .t20)
        book.info.ballLimit = 12
        book.begin(innings: 1, batting: .first)
        var driver = MomentLifeDriver(watching: book)
        for number in 0..<11 { book.ball(striker: "Batter \(number)", out: number < 2 ? [] : ["Batter \(number)"]) }
        _ = driver.reply(book)
        book.innings[0].isClosed = true
        book.status = StatusReport(status: .inningsBreak)
        #expect(driver.reply(book).news.allSatisfy { $0.kind != .inningsEnd })
        #expect(driver.reply(book).news.allSatisfy { $0.kind != .inningsEnd })
        book.ball(1, striker: "Batter 1")
        #expect(driver.reply(book).news.allSatisfy { $0.kind != .inningsEnd })
        let ends = driver.reply(book).news.filter { $0.kind == .inningsEnd }
        #expect(ends.map(\.body) == ["MI 1/9 (2 ov)"])
    }

    @Test func anInningsEndedByPlayIsAnnouncedWhenSeenAgain() {
        var (driver, book) = Self.short()
        book.ball(4)
        _ = driver.reply(book)
        #expect(driver.reply(book).keys == ["inn:1"])
    }
}
