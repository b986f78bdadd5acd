// Who was given out by mistake and is out later after all is news; who is given out once more for the same ball is not.

import MatchEngine
import ScoreTypes
import Testing

@testable import ScoreIngest

@Suite struct ReprieveTests {
    private static let kohli = "Virat Kohli"
    private static let rohit = "Rohit Sharma"

    /// Kohli's wicket was told and taken back, and Rohit's was told in its place.
    private static func reprieved() -> (MomentDesk, Scorebook) {
        var book = Scorebook.begun
        var desk = MomentDesk(watching: book)
        book.ball(striker: kohli, out: [kohli])
        _ = desk.reply(book)
        #expect(desk.reply(book).keys == ["w:1:1"])
        book.amend(0) { $0.dismissals = [] }
        #expect(desk.reply(book).isEmpty)
        book.ball(striker: rohit, out: [rohit])
        _ = desk.reply(book)
        #expect(desk.reply(book).keys == ["w:1:1"])
        return (desk, book)
    }

    @Test(arguments: [false, true]) func theRealDismissalIsTold(afterRestart: Bool) {
        var (desk, book) = Self.reprieved()
        if afterRestart { desk.restart() }
        book.ball(striker: Self.kohli, out: [Self.kohli])
        #expect(desk.reply(book).isEmpty)
        let told = desk.reply(book)
        #expect(told.keys == ["w:1:2"])
        #expect(told.alert?.subject == Self.kohli)
        #expect(desk.reply(book).isEmpty)
        if afterRestart { desk.restart() }
        #expect(desk.wait(.seconds(60)).isEmpty)
        // Taken back and given again, it is what was told.
        book.amend(2) { $0.dismissals = [] }
        #expect(desk.reply(book).isEmpty)
        book.amend(2) { $0.dismissals = [Scorebook.dismissal(Self.kohli)] }
        #expect(desk.reply(book).isEmpty)
        #expect(desk.reply(book).isEmpty)
    }

    @Test(arguments: [false, true]) func theSameBallGivenBackStaysSilentUnderAnyNumber(afterRestart: Bool) {
        var book = Scorebook.begun
        var desk = MomentDesk(watching: book)
        book.ball(striker: Self.rohit)
        book.ball(striker: Self.kohli, out: [Self.kohli])
        _ = desk.reply(book)
        #expect(desk.reply(book).keys == ["w:1:1"])
        book.amend(1) { $0.dismissals = [] }
        _ = desk.reply(book)
        book.amend(0) { $0.dismissals = [Scorebook.dismissal(Self.rohit)] }
        #expect(desk.reply(book).keys == ["w:1:1"])
        if afterRestart { desk.restart() }
        book.amend(1) { $0.dismissals = [Scorebook.dismissal(Self.kohli)] }
        for _ in 0..<2 { #expect(desk.reply(book).isEmpty) }
        #expect(desk.wait(.seconds(60)).isEmpty)
    }

    @Test func aSpentNameStaysSpentForItsPerson() {
        var book = Scorebook.begun
        var desk = MomentDesk(watching: book)
        book.ball(striker: Self.kohli, out: [Self.kohli])
        _ = desk.reply(book)
        #expect(desk.reply(book).keys == ["w:1:1"])
        book.amend(0) { $0.dismissals = [] }
        _ = desk.reply(book)
        book.ball(striker: Self.kohli, out: [Self.kohli])
        for _ in 0..<2 { #expect(desk.reply(book).isEmpty) }
        #expect(desk.told.count == 1)
    }

    @Test func aWicketThatMovesToAnotherBallIsNoOther() {
        var book = Scorebook.begun
        var desk = MomentDesk(watching: book)
        book.ball(striker: Self.rohit, out: [Self.rohit])
        book.ball(striker: Self.kohli, out: [Self.kohli])
        book.ball(striker: "Surya")
        #expect(desk.reply(book).keys == ["w:1:1", "w:1:2"])
        // The feed has given the ball another name and taken Rohit's wicket back, in one reply.
        book.amend(0) { $0.dismissals = [] }
        book.amend(1) { $0.dismissals = [] }
        book.amend(2) { $0.dismissals = [Scorebook.dismissal(Self.kohli)] }
        for _ in 0..<2 { #expect(desk.reply(book).isEmpty) }
    }

    @Test func theProofCountsTheFirstAsRevokedAndNoneAsRepeated() {
        let hand = HandClock()
        var book = Scorebook.begun
        var rehearsal = MatchRehearsal(match: Scorebook.match, provider: .cricsheet, clock: hand.clock())
        func see(_ book: Scorebook) { for _ in 0..<2 { _ = rehearsal.accept(book.snapshot) } }
        see(book)
        book.ball(striker: Self.kohli, out: [Self.kohli])
        see(book)
        book.amend(0) { $0.dismissals = [] }
        see(book)
        book.ball(striker: Self.rohit, out: [Self.rohit])
        see(book)
        book.ball(striker: Self.kohli, out: [Self.kohli])
        see(book)
        #expect(rehearsal.alerts.map(\.key.text) == ["w:1:1", "w:1:1", "w:1:2"])
        #expect(rehearsal.revoked.map(\.subject) == [Self.kohli])
        #expect(rehearsal.repeated.isEmpty && rehearsal.untold.isEmpty)
    }

    @Test func theProofCountsAWicketThatFellOversLaterAsRevoked() {
        let hand = HandClock()
        var book = Scorebook.begun
        var rehearsal = MatchRehearsal(match: Scorebook.match, provider: .cricsheet, clock: hand.clock())
        func see(_ book: Scorebook) { for _ in 0..<2 { _ = rehearsal.accept(book.snapshot) } }
        see(book)
        book.ball(striker: Self.kohli, out: [Self.kohli])
        see(book)
        #expect(rehearsal.revoked.isEmpty)
        book.amend(0) { $0.dismissals = [] }
        see(book)
        #expect(rehearsal.revoked.map(\.subject) == [Self.kohli])
        for _ in 0..<6 { book.ball(striker: Self.rohit) }
        book.ball(striker: Self.kohli, out: [Self.kohli])
        see(book)
        // The name is spent, so nobody hears of it again; what was told was not true all the same.
        #expect(rehearsal.alerts.map(\.key.text) == ["w:1:1"])
        #expect(rehearsal.revoked.map(\.subject) == [Self.kohli])
    }
}
