// A scorer's evidence confirms a moment sooner than any wait, and the feed's mistakes are observed.

import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite struct ConfirmationTests {
    private static let rohit = "Rohit Sharma"

    private static func reasons(_ confirmed: ConfirmedMoments) -> [MatchJournal.Confirmation] {
        confirmed.observations.compactMap { if case .confirmed(_, let reason, _) = $0 { reason } else { nil } }
    }

    @Test func aNewBatterAtTheCreaseConfirmsAWicket() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        book.ball(out: [Self.rohit])
        book.innings[0].crease = Crease(striker: nil, nonStriker: book.deliveries[0].nonStriker)
        #expect(driver.reply(book, after: .seconds(1)).isEmpty)
        book.innings[0].crease?.striker = Scorebook.player(Self.rohit)
        #expect(driver.reply(book, after: .seconds(1)).isEmpty, "the batter who is out is no new one")
        book.innings[0].crease?.striker = Scorebook.player("Tilak Varma")
        let confirmed = driver.reply(book, after: .seconds(1))
        #expect(confirmed.keys == ["w:1:1"])
        #expect(Self.reasons(confirmed) == [.newBatter])
    }

    @Test func aSecondFeedConfirmsAMoment() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        book.ball(out: [Self.rohit])
        _ = driver.reply(book)
        let moment = driver.replica.state.moments.filter { $0.kind == .wicket }.map(MomentIdentity.init)
        #expect(driver.life.isPending(moment[0]))
        driver.life.second(moment[0])
        let confirmed = driver.wait(.seconds(1))
        #expect(confirmed.keys == ["w:1:1"])
        #expect(Self.reasons(confirmed) == [.secondFeed])
        #expect(!driver.life.isPending)
    }

    @Test func eachConfirmationSaysItsReason() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        book.ball(out: [Self.rohit])
        #expect(driver.reply(book).observations == [.reported(.bowled)])
        var bounded = driver
        #expect(Self.reasons(bounded.wait(.seconds(25))) == [.bound])
        var seen = driver
        #expect(seen.reply(book).observations == [.confirmed(.bowled, by: .unchanged, after: 10)])
        book.ball(striker: "Surya")
        #expect(driver.reply(book, after: .seconds(9)).observations == [], "the scorer was late")
        #expect(driver.reply(book, after: .seconds(1)).observations == [.confirmed(.bowled, by: .nextBall, after: 10)])
    }

    /// An insertion moves the later balls of an over, as in the rows of Sportmonks, or does not.
    @Test(arguments: [false, true]) func ballsThatWereKnownBeforeTheMomentConfirmNothing(isLaterMoved: Bool) {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book, wait: 20)
        let inserted = book.ball(out: [Self.rohit])
        let known = book.ball(striker: "Surya")
        var withoutIt = book
        withoutIt.deliveries.remove(at: inserted)
        _ = driver.reply(withoutIt)
        if isLaterMoved { book.amend(known) { $0.order = OrderKey($0.order.number + 1) } }
        #expect(driver.reply(book).observations == [.reported(.bowled)])
        var seen = driver
        #expect(seen.reply(book, after: .seconds(19)).isEmpty)
        #expect(seen.reply(book, after: .seconds(1)).observations == [.confirmed(.bowled, by: .unchanged, after: 20)])
        book.ball(striker: "Surya")
        #expect(driver.reply(book).observations == [.confirmed(.bowled, by: .nextBall, after: 10)])
    }

    @Test func aLaterBallOfTheSameReplyConfirmsAMomentAfterASilenceAlone() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book, wait: 20)
        var (silent, other) = (driver, driver)
        book.ball(out: [Self.rohit])
        book.ball(striker: "Surya")
        #expect(driver.reply(book).observations == [.reported(.bowled)])
        #expect(Self.reasons(driver.reply(book)) == [.nextBall])
        #expect(Self.reasons(silent.catchUp(book, isOtherFeed: false)) == [.nextBall])
        #expect(other.catchUp(book).observations == [.reported(.bowled)], "another feed need not have been silent")
        #expect(other.reply(book).isEmpty)
        book.ball(striker: "Surya")
        #expect(Self.reasons(other.reply(book, after: .seconds(1))) == [.nextBall])
    }

    @Test func theEndOfADoubtBeginsTheWaitAnewAlsoInASilence() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book, wait: 20)
        let short = book
        book.ball(out: [Self.rohit])
        _ = driver.reply(book)
        driver.life.doubt(short.snapshot)
        book.ball(striker: "Surya")
        driver.life.believe(now: driver.now + .seconds(50))
        #expect(driver.catchUp(book, isOtherFeed: false, after: .seconds(50)).isEmpty)
        #expect(Self.reasons(driver.reply(book)) == [.nextBall])
    }

    @Test func aMistakeCountsWithTheAgeOfItsLastReport() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        let wicket = book.ball(out: [Self.rohit])
        _ = driver.reply(book)
        _ = driver.reply(book, after: .seconds(4))
        book.amend(wicket) { $0.dismissals = [] }
        #expect(driver.reply(book, after: .seconds(5)).observations == [.wrong(.bowled, lastReportedAt: 4)])
    }

    @Test func mistakesThatOutliveTheWaitCountOncePerMatch() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        var mistakes: [MomentObservation] = []
        for player in ["Rohit Sharma", "Ishan Kishan", "Surya"] {
            let wicket = book.ball(striker: player, out: [player])
            _ = driver.reply(book)
            #expect(!driver.reply(book).isEmpty)
            book.amend(wicket) { $0.dismissals = [] }
            mistakes += driver.reply(book).observations.filter { if case .wrong = $0 { true } else { false } }
        }
        #expect(mistakes == [.wrong(.bowled, lastReportedAt: 10)])
    }
}
