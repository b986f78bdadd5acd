// A player given out by mistake and out later is announced again; the same ball given out again is not.

import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreLab

@Suite struct ReprieveTests {
    private static let kohli = "Virat Kohli"
    private static let rohit = "Rohit Sharma"

    /// Kohli's wicket was announced and withdrawn, and Rohit's was announced in its place.
    private static func reprieved() -> (MomentLifeDriver, Scorebook) {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        book.ball(striker: kohli, out: [kohli])
        _ = driver.reply(book)
        #expect(driver.reply(book).keys == ["w:1:1"])
        book.amend(0) { $0.dismissals = [] }
        #expect(driver.reply(book).isEmpty)
        book.ball(striker: rohit, out: [rohit])
        _ = driver.reply(book)
        #expect(driver.reply(book).keys == ["w:1:1"])
        return (driver, book)
    }

    @Test(arguments: [false, true]) func theRealDismissalIsAnnounced(afterRestart: Bool) {
        var (driver, book) = Self.reprieved()
        if afterRestart { driver.restart() }
        book.ball(striker: Self.kohli, out: [Self.kohli])
        #expect(driver.reply(book).isEmpty)
        let announced = driver.reply(book)
        #expect(announced.keys == ["w:1:2"])
        #expect(announced.alert?.subject == Self.kohli)
        #expect(driver.reply(book).isEmpty)
        if afterRestart { driver.restart() }
        #expect(driver.wait(.seconds(60)).isEmpty)
        // Withdrawn and given again, it is the announced wicket.
        book.amend(2) { $0.dismissals = [] }
        #expect(driver.reply(book).isEmpty)
        book.amend(2) { $0.dismissals = [Scorebook.dismissal(Self.kohli)] }
        #expect(driver.reply(book).isEmpty)
        #expect(driver.reply(book).isEmpty)
    }

    @Test(arguments: [false, true]) func aRepeatedBallStaysSilentUnderAnyNumber(afterRestart: Bool) {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        book.ball(striker: Self.rohit)
        book.ball(striker: Self.kohli, out: [Self.kohli])
        _ = driver.reply(book)
        #expect(driver.reply(book).keys == ["w:1:1"])
        book.amend(1) { $0.dismissals = [] }
        _ = driver.reply(book)
        book.amend(0) { $0.dismissals = [Scorebook.dismissal(Self.rohit)] }
        _ = driver.reply(book)
        #expect(driver.reply(book).keys == ["w:1:1"])
        if afterRestart { driver.restart() }
        book.amend(1) { $0.dismissals = [Scorebook.dismissal(Self.kohli)] }
        for _ in 0..<2 { #expect(driver.reply(book).isEmpty) }
        #expect(driver.wait(.seconds(60)).isEmpty)
    }

    @Test func aSpentKeyStaysSpentForItsPerson() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        book.ball(striker: Self.kohli, out: [Self.kohli])
        _ = driver.reply(book)
        #expect(driver.reply(book).keys == ["w:1:1"])
        book.amend(0) { $0.dismissals = [] }
        _ = driver.reply(book)
        book.ball(striker: Self.kohli, out: [Self.kohli])
        for _ in 0..<2 { #expect(driver.reply(book).isEmpty) }
        #expect(driver.announced.count == 1)
    }

    @Test func aWicketMovedToAnotherBallIsTheSameWicket() {
        var book = Scorebook.begun
        var driver = MomentLifeDriver(watching: book)
        book.ball(striker: Self.rohit, out: [Self.rohit])
        book.ball(striker: Self.kohli, out: [Self.kohli])
        book.ball(striker: "Surya")
        _ = driver.reply(book)
        #expect(driver.reply(book).keys == ["w:1:1", "w:1:2"])
        // The feed has given the ball another key and withdrawn Rohit's wicket, in one reply.
        book.amend(0) { $0.dismissals = [] }
        book.amend(1) { $0.dismissals = [] }
        book.amend(2) { $0.dismissals = [Scorebook.dismissal(Self.kohli)] }
        for _ in 0..<2 { #expect(driver.reply(book).isEmpty) }
    }

    /// An audit in which Kohli's wicket on the first ball was announced and withdrawn; each reply is seen twice.
    private struct Reprieved {
        var book = Scorebook.begun
        private let hand = ManualClock()
        var rehearsal: MatchRehearsal

        init() {
            rehearsal = MatchRehearsal(match: Scorebook.match, provider: .cricsheet, clock: hand.clock())
            see()
            bowl(ReprieveTests.kohli, isOut: true)
            #expect(rehearsal.audit.revoked.isEmpty)
            book.amend(0) { $0.dismissals = [] }
            see()
        }

        mutating func bowl(_ striker: String, isOut: Bool = false) {
            book.ball(striker: striker, out: isOut ? [striker] : [])
            see()
        }

        private mutating func see() {
            for _ in 0..<2 {
                hand.advance(by: .seconds(10))
                _ = rehearsal.accept(book.snapshot)
            }
        }
    }

    @Test func theAuditCountsTheFirstAsRevokedAndNoneAsRepeated() {
        var proof = Reprieved()
        proof.bowl(Self.rohit, isOut: true)
        proof.bowl(Self.kohli, isOut: true)
        #expect(proof.rehearsal.alerts.map(\.key.text) == ["w:1:1", "w:1:1", "w:1:2"])
        #expect(proof.rehearsal.audit.revoked.map(\.subject) == [Self.kohli])
        #expect(proof.rehearsal.audit.repeated.isEmpty && proof.rehearsal.audit.unannounced.isEmpty)
    }

    @Test func theAuditCountsAWicketThatFellOversLaterAsRevoked() {
        var proof = Reprieved()
        #expect(proof.rehearsal.audit.revoked.map(\.subject) == [Self.kohli])
        for _ in 0..<6 { proof.bowl(Self.rohit) }
        proof.bowl(Self.kohli, isOut: true)
        // The key is spent, so nothing is announced again; the announced alert was untrue all the same.
        #expect(proof.rehearsal.alerts.map(\.key.text) == ["w:1:1"])
        #expect(proof.rehearsal.audit.revoked.map(\.subject) == [Self.kohli])
    }
}
