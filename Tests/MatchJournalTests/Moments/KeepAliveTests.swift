// Who waits through rain must hear something every twenty minutes, and who waits for a dead feed must not.

import MatchEngine
import ScoreTypes
import Testing

@testable import MatchJournal

@Suite struct KeepAliveTests {
    private let alive = KeepAlive(every: .seconds(1200), lastPublication: .seconds(100), lastReply: .seconds(1000))

    @Test func isDueTwentyMinutesAfterTheLastPublication() {
        #expect(alive.wait(status: .tea, now: .seconds(1299)) == .seconds(1))
        #expect(alive.wait(status: .tea, now: .seconds(1300)) == .zero)
    }

    @Test(arguments: [.lunch, .tea, .inningsBreak, .rain, .badLight, .drinks, .startDelayed] as [MatchStatus])
    func breaksAreKeptAlive(_ status: MatchStatus) {
        #expect(alive.wait(status: status, now: .seconds(1300)) == .zero)
    }

    @Test(arguments: [.live, .stumps, .restDay, .scheduled, .resultPending, .result, .abandoned] as [MatchStatus])
    func playNightsAndEndsAreNot(_ status: MatchStatus) {
        #expect(alive.wait(status: status, now: .seconds(1300)) == nil)
    }

    @Test func aSilentFeedKeepsNothingAlive() {
        #expect(alive.wait(status: .tea, now: .seconds(2200)) == nil)
        #expect(KeepAlive(every: .seconds(1200), lastPublication: .zero).wait(status: .tea, now: .seconds(5000)) == nil)
    }
}
