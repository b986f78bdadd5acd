// A feed that takes over reports known balls under other keys; only what is new there may have an alert.

import MatchEngine
import MatchSamples
import Testing

@testable import MatchJournal

extension MomentLifeTests {
    /// The feed that takes over knows the batters by other ids.
    @Test func anotherFeedAnnouncesNoWicketAgain() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        for name in ["Kusal Mendis", "Kamindu Mendis"] {
            book.ball(striker: name, out: [name])
            book.ball()
            for _ in 0..<2 { _ = driver.reply(book) }
        }
        #expect(driver.announced.count == 2)
        var other = Scorebook.begun
        for name in ["BKG Mendis", "PHKD Mendis"] {
            other.ball(striker: name, out: [name])
            other.ball()
        }
        for index in other.deliveries.indices { other.amend(index) { $0.key = DeliveryKey("other-\(index)") } }
        #expect(driver.catchUp(other).news.isEmpty)
        other.ball(striker: "Shanaka", out: ["Shanaka"])
        other.amend(4) { $0.key = DeliveryKey("other-4") }
        #expect(driver.reply(other).isEmpty)
        #expect(driver.reply(other).keys == ["w:1:3"])
    }

    /// The places of one provider are larger numbers than those of another.
    @Test func aNewWicketInTheFirstReplyOfAnotherFeedIsAnnounced() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        for _ in 0...JournalLimits.newsBalls { book.ball() }
        _ = driver.reply(book)
        book.ball(striker: "Surya", out: ["Surya"])
        for index in book.deliveries.indices {
            book.amend(index) { ball in
                ball.key = DeliveryKey("other-\(index)")
                ball.order = OrderKey(Int64(index))
            }
        }
        #expect(driver.catchUp(book).isEmpty)
        #expect(driver.reply(book).keys == ["w:1:1"])
    }

    /// The feed that fell silent had the wicket as a dot.
    @Test(arguments: [false, true])
    func aWicketOnAKnownBallOfAnotherFeedIsAnnounced(withOtherKeys hasOtherKeys: Bool) {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        book.ball()
        book.ball()
        _ = driver.reply(book)
        book.amend(1) { $0.dismissals = [Scorebook.dismissal("Rohit Sharma")] }
        for index in book.deliveries.indices where hasOtherKeys {
            book.amend(index) { $0.key = DeliveryKey("other-\(index)") }
        }
        #expect(driver.catchUp(book).isEmpty)
        #expect(driver.reply(book).keys == ["w:1:1"])
    }

    @Test func anotherFeedWithAnEarlierBallMoreAnnouncesNoWicketAgain() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        book.ball(striker: "Kusal Mendis", out: ["Kusal Mendis"])
        book.ball()
        for _ in 0..<2 { _ = driver.reply(book) }
        #expect(driver.announced.count == 1)
        var other = Scorebook.begun
        other.ball()
        other.ball(striker: "BKG Mendis", out: ["BKG Mendis"])
        other.ball()
        for index in other.deliveries.indices { other.amend(index) { $0.key = DeliveryKey("other-\(index)") } }
        #expect(driver.catchUp(other).news.isEmpty)
        #expect(driver.reply(other).isEmpty)
    }
}
