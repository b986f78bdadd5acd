// A scorer who calls an innings over may have its last ball still to tell, and an alert cannot be taken back.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import MatchJournal

@Suite struct InningsEndTellingTests {
    /// One over a side, of which five balls are told, and the word that it is over.
    private static func short(isDeclared: Bool = false) -> (MomentLifeDriver, Scorebook) {
        var book = Scorebook(format: isDeclared ? .test : .t20)
        if !isDeclared { book.info.ballLimit = 6 }
        book.begin(innings: 1, batting: .first)
        var desk = MomentLifeDriver(watching: book)
        for _ in 0..<5 { book.ball(1) }
        _ = desk.reply(book)
        book.innings[0].isClosed = true
        book.innings[0].isDeclared = isDeclared
        book.status = StatusReport(status: .inningsBreak)
        _ = desk.reply(book)
        return (desk, book)
    }

    @Test(arguments: [false, true]) func whatAWordAloneHasEndedWaitsForItsLastBall(isDeclared: Bool) {
        var (desk, book) = Self.short(isDeclared: isDeclared)
        #expect(desk.reply(book).isEmpty)
        #expect(desk.wait(.seconds(29)).isEmpty)
        book.ball(4)
        var ends = desk.reply(book).news + desk.reply(book).news
        ends += desk.wait(.seconds(30)).news + desk.reply(book).news
        #expect(ends.map(\.body) == [isDeclared ? "MI 9/0d (1 ov)" : "MI 9/0 (1 ov)"])
    }

    @Test func itIsToldAfterHalfAMinuteWithAnAnswerThatShowsItStill() {
        var (desk, book) = Self.short()
        #expect(desk.wait(.seconds(30)).isEmpty)
        #expect(desk.reply(book).news.map(\.body) == ["MI 5/0 (0.5 ov)"])
    }

    @Test func itIsToldWithTheFirstBallOfTheNext() {
        var (desk, book) = Self.short()
        book.begin(innings: 2, batting: .second)
        book.ball()
        #expect(desk.reply(book).keys == ["inn:1"])
    }

    @Test func whatPlayHasEndedIsToldWhenItIsSeenAgain() {
        var (desk, book) = Self.short()
        book.ball(4)
        _ = desk.reply(book)
        #expect(desk.reply(book).keys == ["inn:1"])
    }
}
