// The requests that a `Retry-After` stops, and for how long.

import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct RetryAfterWindowTests {
    private let one = MatchID(unchecked: "m1")
    private let other = MatchID(unchecked: "m2")

    private func failure(_ status: Int, retryAfter: Duration?) -> FetchFailure {
        FetchFailure(label: status < 500 ? .http4xx : .http5xx, status: status, retryAfter: retryAfter)
    }

    @Test("F19: an exhausted quota stops the whole feed")
    func anExhaustedQuotaStopsTheFeed() {
        var window = RetryAfterWindow()
        window.record(failure(429, retryAfter: .seconds(100)), of: one, now: .seconds(10))
        for match in [nil, one, other] {
            #expect(window.wait(of: match, now: .seconds(10)) == .seconds(100))
            #expect(window.wait(of: match, now: .seconds(109)) == .seconds(1))
            #expect(window.wait(of: match, now: .seconds(110)) == nil)
        }
    }

    @Test func anUnavailableServerStopsTheFeedOrOneMatch() {
        var window = RetryAfterWindow()
        window.record(failure(503, retryAfter: .seconds(30)), of: one, now: .zero)
        #expect(window.wait(of: one, now: .zero) == .seconds(30))
        #expect(window.wait(of: other, now: .zero) == nil)
        #expect(window.wait(of: nil, now: .zero) == nil)
        window.record(failure(503, retryAfter: .seconds(20)), of: nil, now: .zero)
        #expect(window.wait(of: nil, now: .zero) == .seconds(20))
        #expect(window.wait(of: other, now: .zero) == .seconds(20))
        #expect(window.wait(of: one, now: .zero) == .seconds(30))
    }

    @Test func aPauseIsNeverShortenedAndAnHourAtMost() {
        var window = RetryAfterWindow()
        window.record(failure(429, retryAfter: .seconds(100)), of: nil, now: .zero)
        window.record(failure(429, retryAfter: .seconds(5)), of: nil, now: .seconds(1))
        window.record(failure(429, retryAfter: nil), of: nil, now: .seconds(1))
        #expect(window.wait(of: nil, now: .seconds(1)) == .seconds(99))
        window.record(failure(429, retryAfter: .seconds(86_400)), of: nil, now: .zero)
        #expect(window.wait(of: nil, now: .zero) == IngestLimits.retryAfterMax)
    }
}
