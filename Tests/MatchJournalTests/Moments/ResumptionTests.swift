// The resumption of play after an hour's delay is announced, also when the feed has no times for its statuses.

import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreLab

@Suite struct ResumptionTests {
    /// The alerts at the resumption after so many minutes of rain, by a feed that is polled twice a minute.
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

    @Test func theEndOfAnHourOfRainIsAnnounced() throws {
        let announced = Self.announced(after: 60)
        #expect(announced.map(\.kind) == [.resumption])
        #expect(announced.first?.priority == .ten)
    }

    @Test func theEndOfAShowerIsNotAnnounced() { #expect(Self.announced(after: 59).isEmpty) }

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
