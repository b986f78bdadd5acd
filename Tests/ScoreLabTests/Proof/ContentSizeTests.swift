// The proof must see a score that fell at one place while balls came at another.

import MatchEngine
import MatchSamples
import Testing

@testable import ScoreLab

@Suite struct ContentSizeTests {
    /// Two overs; the second one has three balls.
    private static func book(balls: Int = 9) -> Scorebook {
        var book = Scorebook.begun
        for _ in 0..<balls { book.ball(1) }
        return book
    }

    private static func size(_ book: Scorebook) -> ContentSize {
        ContentSize(book.snapshot.deliveries, book.snapshot.innings)
    }

    @Test func anOverWithFewerBallsIsFound() {
        var now = Self.book(balls: 10)
        now.deliveries.removeFirst()
        #expect(Self.size(now).places(below: Self.size(Self.book())) == ["innings 1, over 0 from 6 to 5"])
        #expect(Self.size(Self.book(balls: 10)).places(below: Self.size(Self.book())).isEmpty)
    }

    @Test func aFallOfTheFeedExplainsOneAtTheSamePlaceAlone() {
        var least = Self.size(Self.book())
        least.lower(to: Self.size(Self.book(balls: 8)))
        #expect(Self.size(Self.book(balls: 8)).places(below: least).isEmpty)
        #expect(Self.size(Self.book(balls: 5)).places(below: least).count == 2)
    }

    @Test func aLowerTotalIsFound() {
        var book = Scorebook.begun
        book.innings[0].reported = ReportedTotal(runs: 8, wickets: 0, balls: 9)
        let fallen = Self.size(book).places(below: ContentSize(Self.book().deliveries, hasTotalsAlone: true))
        #expect(fallen == ["innings 1 from 9 to 8"])
    }
}
