// The resumption of play after an hour's delay is announced, also when the feed has no times for its statuses.

import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreLab

@Suite struct ResumptionTests {
    private typealias Spell = (status: MatchStatus, minutes: Int)

    /// A match with a ball.
    private static var begun: Scorebook {
        var book = Scorebook.begun
        book.ball(1)
        return book
    }

    /// The alerts when statuses have lasted for some minutes and another one follows, by a feed that is polled twice a
    /// minute.
    private static func announced(
        _ spells: [Spell],
        then word: MatchStatus = .live,
        in match: Scorebook = ResumptionTests.begun
    ) -> [Moment] {
        let clock = ManualClock()
        var rehearsal = MatchRehearsal(match: Scorebook.match, provider: .sportmonks, clock: clock.clock())
        var book = match
        _ = rehearsal.accept(book.snapshot)
        let reported = spells.flatMap { Array(repeating: $0.status, count: $0.minutes * 2) }
        for status in reported + [word, word] {
            book.status = StatusReport(status: status)
            _ = rehearsal.accept(book.snapshot)
            clock.advance(by: .seconds(30))
        }
        return rehearsal.alerts
    }

    /// The alerts at the resumption after so many minutes of rain.
    private static func announced(after minutes: Int, then word: MatchStatus = .live) -> [Moment] {
        announced([(.rain, minutes)], then: word)
    }

    @Test func theEndOfAnHourOfRainIsAnnounced() throws {
        let announced = Self.announced(after: 60)
        #expect(announced.map(\.kind) == [.resumption])
        #expect(announced.first?.priority == .ten)
    }

    @Test func theEndOfAShowerIsNotAnnounced() { #expect(Self.announced(after: 59).isEmpty) }

    @Test func anIntervalBetweenRainAndPlayEndsNoDelay() {
        let announced = Self.announced([(.rain, 90), (.lunch, 40)])
        #expect(announced.map(\.kind) == [.resumption])
        #expect(announced.map(\.body) == ["Play goes on after rain"])
    }

    @Test func anIntervalIsNoDelay() {
        #expect(Self.announced([(.rain, 30), (.lunch, 40)]).isEmpty)
        #expect(Self.announced([(.rain, 30), (.lunch, 40), (.rain, 29)]).isEmpty)
        #expect(Self.announced([(.rain, 30), (.lunch, 40), (.rain, 30)]).map(\.kind) == [.resumption])
    }

    @Test func aTossBetweenItsDelayAndPlayEndsNoDelay() {
        let announced = Self.announced([(.tossDelayed, 70), (.toss, 20)], in: Scorebook())
        #expect(announced.map(\.body) == ["Play goes on after toss delayed"])
        #expect(Self.announced([(.tossDelayed, 50), (.toss, 20)], in: Scorebook()).isEmpty)
    }

    @Test func aNightBetweenRainAndPlayEndsTheDelay() {
        #expect(Self.announced([(.rain, 90), (.stumps, 600)]).isEmpty)
    }

    @Test func anAbandonedDayAnnouncesNoResumption() { #expect(Self.announced(after: 90, then: .stumps).isEmpty) }

    @Test func anUnchangedStatusChangesNothing() {
        let clock = ManualClock()
        var rehearsal = MatchRehearsal(match: Scorebook.match, provider: .sportmonks, clock: clock.clock())
        var book = Scorebook.begun
        for status in [MatchStatus.live, .rain, .live] {
            book.status = StatusReport(status: status)
            guard case .applied = rehearsal.accept(book.snapshot) else {
                Issue.record("\(status) is announced")
                return
            }
            clock.advance(by: .seconds(20))
            #expect(rehearsal.accept(book.snapshot) == .unchanged)
        }
    }
}
