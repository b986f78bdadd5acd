// Play that goes on after an hour's delay is told aloud, also when the feed has no times for its words.

import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreLab

@Suite struct ResumptionTests {
    /// What is told when play goes on after so many minutes of rain, by a feed that is asked twice a minute.
    private static func announced(after minutes: Int, then word: MatchStatus = .live) -> [Moment] {
        let clock = ManualClock()
        var rehearsal = MatchRehearsal(match: Scorebook.match, provider: .sportmonks, clock: clock.clock())
        var book = Scorebook.begun
        book.ball(1)
        _ = rehearsal.accept(book.snapshot)
        for status in Array(repeating: MatchStatus.rain, count: minutes * 2) + [word, word] {
            book.status = StatusReport(status: status)
            _ = rehearsal.accept(book.snapshot)
            clock.advance(by: .seconds(30))
        }
        return rehearsal.alerts
    }

    @Test func anHourOfRainEndsAloud() throws {
        let announced = Self.announced(after: 60)
        #expect(announced.map(\.kind) == [.resumption])
        #expect(announced.first?.priority == .ten)
    }

    @Test func aShowerEndsInSilence() { #expect(Self.announced(after: 59).isEmpty) }

    @Test func theDayThatIsWashedOutDoesNotGoOn() { #expect(Self.announced(after: 90, then: .stumps).isEmpty) }

    @Test func aWordThatStaysChangesNothing() {
        let clock = ManualClock()
        var rehearsal = MatchRehearsal(match: Scorebook.match, provider: .sportmonks, clock: clock.clock())
        var book = Scorebook.begun
        for status in [MatchStatus.live, .rain, .live] {
            book.status = StatusReport(status: status)
            guard case .applied = rehearsal.accept(book.snapshot) else {
                Issue.record("\(status) is news")
                return
            }
            clock.advance(by: .seconds(20))
            #expect(rehearsal.accept(book.snapshot) == .unchanged)
        }
    }
}
