// Followers receive a keep-alive every twenty minutes during rain, and none for a dead feed.

import MatchEngine
import ScoreTypes
import Testing

@testable import MatchJournal

@Suite struct KeepAliveTests {
    private let alive = KeepAlive(every: .seconds(1200), lastPublication: .seconds(100), lastReply: .seconds(1000))

    @Test func aKeepAliveIsDueTwentyMinutesAfterTheLastPublication() {
        #expect(alive.wait(status: .tea, now: .seconds(1299)) == .seconds(1))
        #expect(alive.wait(status: .tea, now: .seconds(1300)) == .zero)
    }

    @Test(arguments: [.lunch, .tea, .inningsBreak, .rain, .badLight, .drinks, .startDelayed] as [MatchStatus])
    func breaksHaveKeepAlives(_ status: MatchStatus) {
        #expect(alive.wait(status: status, now: .seconds(1300)) == .zero)
    }

    @Test(arguments: [.live, .stumps, .restDay, .scheduled, .resultPending, .result, .abandoned] as [MatchStatus])
    func playNightsAndEndsHaveNoKeepAlive(_ status: MatchStatus) {
        #expect(alive.wait(status: status, now: .seconds(1300)) == nil)
    }

    @Test func aSilentFeedHasNoKeepAlive() {
        #expect(alive.wait(status: .tea, now: .seconds(2200)) == nil)
        #expect(KeepAlive(every: .seconds(1200), lastPublication: .zero).wait(status: .tea, now: .seconds(5000)) == nil)
    }
}
