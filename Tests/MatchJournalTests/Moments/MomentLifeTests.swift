// Confirmation of moments: a premature wicket alert is the worst mistake, so each transition is tested.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import MatchJournal

@Suite struct MomentLifeTests {
    private static func driver(_ book: Scorebook) -> MomentLifeDriver { MomentLifeDriver(watching: book) }

    @Test func aMomentWaitsForTheSameBallInALaterReply() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma"])
        #expect(driver.reply(book).isEmpty)
        #expect(driver.reply(book, after: .milliseconds(9_999)).isEmpty)
        #expect(driver.life.look(now: driver.now) == .milliseconds(1))
        let confirmed = driver.reply(book, after: .milliseconds(1))
        #expect(confirmed.keys == ["w:1:1"])
        #expect(confirmed.alert?.key.text == "w:1:1")
        #expect(confirmed.priority == .ten)
        #expect(driver.reply(book).isEmpty)
    }

    @Test func theNextBallConfirmsAMoment() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book, wait: 20)
        book.ball(out: ["Rohit Sharma"])
        #expect(driver.reply(book).isEmpty)
        book.ball(striker: "Surya")
        #expect(driver.reply(book, after: .seconds(9)).isEmpty)
        #expect(driver.reply(book, after: .seconds(1)).keys == ["w:1:1"])
    }

    @Test func aFinalStatusConfirmsAtOnce() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma"])
        book.amend(0) { $0.isFinal = true }
        #expect(driver.reply(book).keys == ["w:1:1"])
    }

    @Test func withoutAReplyTheBoundConfirmsAMoment() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma"])
        #expect(driver.reply(book).isEmpty)
        #expect(driver.wait(.milliseconds(24_999)).isEmpty)
        #expect(driver.life.wait(now: driver.now) == .milliseconds(1))
        #expect(driver.wait(.milliseconds(1)).keys == ["w:1:1"])
        #expect(driver.life.wait(now: driver.now) == nil)
    }

    @Test func aScaledClockLeavesTimeForACorrection() {
        let waits = ConfirmationWaits(ServiceClock(speed: 3600))
        #expect(waits.unchanged(.caught) == .milliseconds(50))
        #expect(waits.bound == .milliseconds(50))
        let slower = ConfirmationWaits(ServiceClock(speed: 10))
        #expect(slower.unchanged(.caught) == .seconds(1))
        #expect(slower.bound == .milliseconds(2_500))
    }

    @Test func aChangedBallWaitsAgain() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma"])
        #expect(driver.reply(book).isEmpty)
        book.amend(0) { $0.dismissals = [Dismissal(kind: .lbw, out: Scorebook.player("Rohit Sharma"))] }
        #expect(driver.reply(book).isEmpty)
        #expect(driver.reply(book).keys == ["w:1:1"])
    }

    @Test func anEditThatLeavesTheAlertRightContinuesItsWait() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        let out = Scorebook.player("Rohit Sharma")
        book.ball()
        book.amend(0) { $0.dismissals = [Dismissal(kind: .caught, out: out)] }
        #expect(driver.reply(book).isEmpty)
        book.amend(0) { $0.occurredAt = 1_700_000_009 }
        #expect(driver.reply(book, after: .seconds(5)).isEmpty)
        book.amend(0) { $0.dismissals = [Dismissal(kind: .caught, out: out, fielders: [Fielder(name: "Jadeja")])] }
        let confirmed = driver.reply(book, after: .seconds(5))
        #expect(confirmed.keys == ["w:1:1"] && !confirmed.observations.contains { $0.isMistake })
    }

    @Test func theBoundBeginsWithTheFirstReport() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma"])
        #expect(driver.reply(book).isEmpty)
        book.amend(0) { $0.dismissals = [Dismissal(kind: .lbw, out: Scorebook.player("Rohit Sharma"))] }
        let corrected = driver.reply(book, after: .seconds(9))
        #expect(corrected.isEmpty && corrected.observations.contains { $0.isMistake })
        #expect(driver.wait(.milliseconds(15_999)).isEmpty)
        #expect(driver.wait(.milliseconds(1)).keys == ["w:1:1"])
    }

    @Test func aMomentThatWaitedWhenAllNodesStoppedIsNoNewsTwoOversLater() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma"])
        _ = driver.reply(book)
        driver.restart()
        for _ in 0...JournalLimits.newsBalls { book.ball(striker: "Surya") }
        let late = driver.catchUp(book, isOtherFeed: false)
        #expect(late.news.isEmpty && late.history.map(\.key.text) == ["w:1:1"])
        #expect(driver.reply(book).isEmpty)
    }

    /// A feed may withdraw the first ball of a match and report it again, with another key and now as a wicket.
    @Test(arguments: [false, true]) func aWicketOnTheFirstBallWithAnotherKeyIsAnnounced(isAfterSilence: Bool) {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball()
        #expect(driver.reply(book).isEmpty)
        book.amend(0) { ball in
            ball.key = DeliveryKey("again")
            ball.dismissals = [Scorebook.dismissal("Rohit Sharma")]
        }
        let first = isAfterSilence ? driver.catchUp(book, isOtherFeed: false) : driver.reply(book)
        #expect(first.isEmpty)
        #expect(driver.reply(book).keys == ["w:1:1"])
    }

    @Test func aMomentWithdrawnInTimeIsNotAnnounced() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma"])
        #expect(driver.reply(book).isEmpty)
        book.amend(0) { $0.dismissals = [] }
        #expect(driver.reply(book).isEmpty)
        book.ball()
        #expect(driver.reply(book).isEmpty)
        #expect(driver.wait(.seconds(60)).isEmpty)
        #expect(driver.announced.isEmpty)
    }

    @Test func aSpentKeyIsAnnouncedAgainOnlyForAnotherPerson() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma"])
        _ = driver.reply(book)
        #expect(driver.reply(book).keys == ["w:1:1"])
        book.amend(0) { $0.dismissals = [] }
        #expect(driver.reply(book).isEmpty)
        book.amend(0) { $0.dismissals = [Scorebook.dismissal("Rohit Sharma")] }
        #expect(driver.reply(book).isEmpty)
        #expect(driver.reply(book).isEmpty)
        book.amend(0) { $0.dismissals = [Scorebook.dismissal("Ishan Kishan")] }
        #expect(driver.reply(book).isEmpty)
        let again = driver.reply(book)
        #expect(again.keys == ["w:1:1"])
        #expect(again.news.map(\.subject) == ["Ishan Kishan"])
    }

    @Test func aWithdrawnWicketRepeatsNoLaterAlert() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma"])
        book.ball(striker: "Surya", out: ["Surya"])
        book.ball(striker: "Tilak")
        _ = driver.reply(book)
        #expect(driver.reply(book).keys == ["w:1:1", "w:1:2"])
        book.amend(0) { $0.dismissals = [] }
        #expect(driver.reply(book).isEmpty)
        #expect(driver.reply(book).isEmpty)
        book.amend(0) { $0.dismissals = [Scorebook.dismissal("Rohit Sharma")] }
        _ = driver.reply(book)
        #expect(driver.reply(book).isEmpty)
    }

    @Test func twoWicketsOnOneBallAreOneAlert() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma", "Ishan Kishan"])
        #expect(driver.reply(book).isEmpty)
        let confirmed = driver.reply(book)
        #expect(confirmed.keys == ["w:1:1", "w:1:2"])
        #expect(confirmed.announced.count == 2)
        #expect(confirmed.alert?.key.text == "w:1:2")
        #expect(confirmed.changes == [.confirmed([MomentKey("w:1:1"), MomentKey("w:1:2")])])
    }

    @Test func aMilestoneReachedAgainIsAnnouncedOnce() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        for _ in 0..<8 { book.ball(6) }
        #expect(driver.reply(book).isEmpty)
        let fifty = book.ball(2)
        _ = driver.reply(book)
        #expect(driver.reply(book).keys == ["b50:1:Rohit Sharma"])
        book.amend(fifty) { $0.runs.bat = 1 }
        #expect(driver.reply(book).isEmpty)
        book.ball(1)
        #expect(driver.reply(book).isEmpty)
        book.ball(0)
        #expect(driver.reply(book).isEmpty)
    }

    @Test func aProvenResultWaitsForTheStatusOfTheFeed() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(1)
        book.begin(innings: 2, batting: .second)
        book.innings[0].isClosed = true
        book.ball(4, striker: "MS Dhoni")
        _ = driver.reply(book)
        #expect(driver.reply(book).news.allSatisfy { $0.kind != .result })
        #expect(driver.wait(.seconds(29)).isEmpty)
        #expect(driver.wait(.seconds(1)).isEmpty)
        var still = driver
        #expect(still.reply(book).keys == ["res"])
        book.status = StatusReport(status: .result)
        book.result = ProviderResult(kind: .wickets(10), winner: .second)
        #expect(driver.reply(book).keys == ["res"])
    }

    @Test func eventsBeforeTheFirstReplyAreNotAnnounced() {
        var book = Scorebook.begun
        book.ball(out: ["Rohit Sharma"])
        book.ball(striker: "Surya", out: ["Surya"])
        var driver = MomentLifeDriver()
        let first = driver.reply(book)
        #expect(first.news.isEmpty)
        #expect(first.history.map(\.key.text) == ["w:1:1"])
        #expect(first.alert == nil)
        #expect(first.priority == .five)
        // The newest ball may be new to every follower.
        #expect(driver.reply(book).keys == ["w:1:2"])
    }

    @Test func aCorrectionOfAnOldBallIsNotAnnounced() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        for _ in 0..<14 { book.ball() }
        _ = driver.reply(book)
        var recent = book
        recent.amend(3) { $0.dismissals = [Scorebook.dismissal("Rohit Sharma")] }
        var other = driver
        _ = other.reply(recent)
        #expect(other.reply(recent).keys == ["w:1:1"])
        book.amend(1) { $0.dismissals = [Scorebook.dismissal("Rohit Sharma")] }
        let old = driver.reply(book)
        #expect(old.news.isEmpty)
        #expect(old.announced == [AnnouncedMoment(key: MomentKey("w:1:1"), subject: "Rohit Sharma")])
    }

    @Test func aRestartNeitherLosesNorRepeatsAMoment() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma"])
        #expect(driver.reply(book).isEmpty)
        book.ball(striker: "Surya", out: ["Surya"])
        #expect(driver.reply(book).keys == ["w:1:1"])
        book.ball(striker: "Tilak")
        #expect(driver.reply(book, after: .seconds(9)).isEmpty)
        driver.restart()
        #expect(driver.reply(book).keys == ["w:1:2"])
        driver.restart()
        #expect(driver.reply(book).isEmpty)
    }

    @Test func momentsLongBeforeARestartStayUnannounced() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball(out: ["Rohit Sharma"])
        for _ in 0..<JournalLimits.newsBalls { book.ball(striker: "Surya") }
        _ = driver.reply(book)
        driver.announced = []
        driver.restart()
        let first = driver.reply(book)
        #expect(first.news.isEmpty && first.history.map(\.key.text) == ["w:1:1"])
        #expect(driver.wait(.seconds(60)).isEmpty)
    }

    /// The options of an operator who makes a kind of moments spoken.
    private static func spoken(_ kind: Moment.Kind) -> EngineOptions {
        var options = EngineOptions()
        options.moments[kind, .t20] = .spoken
        return options
    }

    @Test func aLouderKindAnnouncesNothingOfThePastAfterARestart() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        for status in [MatchStatus.drinks, .lunch, .live] {
            book.status = StatusReport(status: status)
            #expect(driver.reply(book).isEmpty)
        }
        driver.replica = MatchReplica(driver.replica.record, options: Self.spoken(.interval))
        driver.restart()
        for _ in 0..<2 { #expect(driver.reply(book).isEmpty) }
        #expect(driver.wait(.seconds(25)).isEmpty)
        book.status = StatusReport(status: .tea)
        #expect(driver.reply(book).isEmpty)
        driver.restart()
        #expect(driver.reply(book).keys == ["iv:tea:1"], "it was pending")
    }

    @Test func aPendingResumptionIsAnnouncedAfterARestart() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        book.ball()
        for report in [StatusReport(status: .rain, since: 1_000), StatusReport(status: .live, since: 5_000)] {
            book.status = report
            #expect(driver.reply(book).isEmpty)
        }
        driver.restart()
        var later = driver
        #expect(driver.reply(book).keys == ["go:1000"])
        // By the time of the newest ball play has gone on for long.
        book.amend(0) { $0.occurredAt = 5_000 + JournalLimits.freshSeconds + 1 }
        later.replica.apply(Differ.changes(from: later.replica.record, to: book.snapshot))
        later.restart()
        #expect(later.reply(book).isEmpty)
    }

    @Test func aPendingTargetIsAnnouncedAfterARestart() {
        var book = Scorebook.begun
        var driver = Self.driver(book)
        driver.replica = MatchReplica(driver.replica.record, options: Self.spoken(.targetRevised))
        book.ball(4)
        book.innings[0].isClosed = true
        book.begin(innings: 2, batting: .second)
        book.innings[1].target = Target(runs: 50, balls: 60, method: "DLS")
        _ = driver.reply(book)
        driver.restart()
        #expect(driver.reply(book).keys.contains("tgt:2:50:60"))
    }
}
