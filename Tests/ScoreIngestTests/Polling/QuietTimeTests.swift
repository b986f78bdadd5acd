// Who is asked to wait, for how long, and how those who waited come back, without a clock that runs.

import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct QuietTimeTests {
    private let one = MatchID(unchecked: "m1")
    private let other = MatchID(unchecked: "m2")

    private func failure(_ status: Int, retryAfter: Duration?) -> FetchFailure {
        FetchFailure(label: status < 500 ? .http4xx : .http5xx, status: status, retryAfter: retryAfter)
    }

    @Test("F19: a quota that is used up quietens the whole feed")
    func aQuotaThatIsUsedUpQuietensTheWholeFeed() {
        var quiet = QuietTime()
        quiet.note(failure(429, retryAfter: .seconds(100)), of: one, now: .seconds(10))
        for match in [nil, one, other] {
            #expect(quiet.wait(of: match, now: .seconds(10), jitter: 0) == .seconds(100))
            #expect(quiet.wait(of: match, now: .seconds(109), jitter: 0) == .seconds(1))
            #expect(quiet.wait(of: match, now: .seconds(110), jitter: 0) == nil)
        }
        // Not all at the same moment, and never earlier.
        let late = quiet.wait(of: other, now: .seconds(10), jitter: 1)
        #expect(late.map { $0 > .seconds(109.9) && $0 < .seconds(110.1) } == true)
        quiet.lift()
        #expect(quiet.wait(of: one, now: .seconds(11), jitter: 0) == nil)
    }

    @Test func aServerThatIsUnavailableIsTheFeedsOrOneMatchs() {
        var quiet = QuietTime()
        quiet.note(failure(503, retryAfter: .seconds(30)), of: one, now: .zero)
        #expect(quiet.wait(of: one, now: .zero, jitter: 0) == .seconds(30))
        #expect(quiet.wait(of: other, now: .zero, jitter: 0) == nil)
        #expect(quiet.wait(of: nil, now: .zero, jitter: 0) == nil)
        quiet.note(failure(503, retryAfter: .seconds(20)), of: nil, now: .zero)
        #expect(quiet.wait(of: nil, now: .zero, jitter: 0) == .seconds(20))
        #expect(quiet.wait(of: other, now: .zero, jitter: 0) == .seconds(20))
        #expect(quiet.wait(of: one, now: .zero, jitter: 0) == .seconds(30))
    }

    @Test func aShorterTimeTakesNothingBackAndAnHourIsTheMost() {
        var quiet = QuietTime()
        quiet.note(failure(429, retryAfter: .seconds(100)), of: nil, now: .zero)
        quiet.note(failure(429, retryAfter: .seconds(5)), of: nil, now: .seconds(1))
        quiet.note(failure(429, retryAfter: nil), of: nil, now: .seconds(1))
        #expect(quiet.wait(of: nil, now: .seconds(1), jitter: 0) == .seconds(99))
        quiet.note(failure(429, retryAfter: .seconds(86_400)), of: nil, now: .zero)
        #expect(quiet.wait(of: nil, now: .zero, jitter: 0) == Backoff.retryAfterMax)
    }
}

@Suite struct ComebackTests {
    private let matches = (0..<5).map { MatchID(unchecked: "m\($0)") }

    @Test func thoseWhoWaitedForTheBreakerComeBackInTurn() {
        var comebacks = Comebacks()
        var draw = 0.0
        comebacks.spread(matches, over: .seconds(5), now: .seconds(100)) {
            defer { draw += 0.2 }
            return draw
        }
        let turns = matches.map { comebacks.take($0, isDueAt: .seconds(110), now: .seconds(100)) }
        #expect(turns.allSatisfy { $0 >= .seconds(100) && $0 <= .seconds(105) })
        #expect(zip(turns, turns.dropFirst()).allSatisfy { $1 - $0 > .milliseconds(900) })
        // A turn is taken once; whoever is woken again asks at once.
        #expect(comebacks.take(matches[0], isDueAt: .seconds(110), now: .seconds(101)) == .seconds(101))
    }

    @Test func whoWasDueSoonerOrHasAReasonDoesNotWait() {
        var comebacks = Comebacks()
        comebacks.spread(matches, over: .seconds(5), now: .seconds(100)) { 1 }
        #expect(comebacks.take(matches[0], isDueAt: .seconds(102), now: .seconds(100)) == .seconds(102))
        comebacks.forget(matches[1])
        #expect(comebacks.take(matches[1], isDueAt: .seconds(110), now: .seconds(100)) == .seconds(100))
        comebacks.forgetAll()
        #expect(comebacks.take(matches[2], isDueAt: .seconds(110), now: .seconds(100)) == .seconds(100))
    }
}
