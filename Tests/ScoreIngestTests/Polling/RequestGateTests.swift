// One decision for all limits of a feed: send, join, or wait, and for which limit.

import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct RequestGateTests {
    private let hand = ManualClock()
    private let match = MatchID(unchecked: "m1")

    private func flight(_ path: String = "/m1", etag: String? = nil) -> RequestGate.Flight {
        RequestGate.Flight(request: ProviderRequest(part: .match, path: path), etag: etag)
    }

    private func gate(hourlyRequests: Int? = nil) -> RequestGate {
        var gate = RequestGate()
        gate.budget = hourlyRequests.map { HourlyBudget(requests: $0, now: hand.clock().monotonic) }
        return gate
    }

    private func admit(
        _ gate: inout RequestGate,
        _ flight: RequestGate.Flight,
        jitter: Double = 0
    ) -> RequestGate.Answer {
        gate.admit(flight, of: match, for: .play, hand.context(jitter: jitter))
    }

    @discardableResult
    private func end(_ gate: inout RequestGate, _ flight: RequestGate.Flight, _ outcome: FetchOutcome) -> Bool {
        gate.ended(flight, outcome, of: match, hand.context())
    }

    private func failure(_ status: Int, retryAfter: Duration? = nil) -> FetchOutcome {
        .failed(FetchFailure(label: status < 500 ? .http4xx : .http5xx, status: status, retryAfter: retryAfter))
    }

    @Test func anEqualRequestInFlightIsJoined() {
        var gate = gate()
        #expect(admit(&gate, flight()) == .send)
        #expect(admit(&gate, flight()) == .join)
        #expect(admit(&gate, flight(etag: "other")) == .send)
        end(&gate, flight(), .notModified)
        #expect(admit(&gate, flight()) == .send)
    }

    @Test("F19: nothing is sent before the end of a pause, and requests are spread after it")
    func nothingIsSentBeforeTheEndOfAPause() {
        var gate = gate()
        #expect(admit(&gate, flight()) == .send)
        end(&gate, flight(), failure(429, retryAfter: .seconds(100)))
        #expect(admit(&gate, flight()) == .wait(.seconds(100), .retryAfter))
        guard case .wait(let late, .retryAfter) = admit(&gate, flight(), jitter: 1) else {
            Issue.record("it is sent")
            return
        }
        #expect(late > .seconds(109.9) && late < .seconds(110.1))
        #expect(gate.findSession(hand.context(jitter: 0)) == .wait(.seconds(100)), "the feed is not opened either")
        gate.endPauses()
        #expect(admit(&gate, flight()) == .send)
    }

    @Test func failuresOpenTheBreakerUnlessTheyConcernOneAddress() {
        var gate = gate()
        for status in Array(repeating: 404, count: IngestLimits.breaker.failuresInARowMax) {
            #expect(admit(&gate, flight()) == .send)
            end(&gate, flight(), failure(status))
        }
        #expect(gate.breaker.state == .closed)
        for _ in 0..<IngestLimits.breaker.failuresInARowMax {
            #expect(admit(&gate, flight()) == .send)
            end(&gate, flight(), failure(500))
        }
        #expect(admit(&gate, flight()) == .wait(IngestLimits.probeInterval, .breaker))
        gate.closeBreaker()
        #expect(admit(&gate, flight()) == .send)
    }

    @Test func aCancelledRequestReturnsItsProbe() {
        var gate = gate()
        for _ in 0..<IngestLimits.breaker.failuresInARowMax {
            _ = admit(&gate, flight())
            end(&gate, flight(), failure(500))
        }
        hand.advance(by: IngestLimits.probeInterval)
        #expect(admit(&gate, flight()) == .send)
        end(&gate, flight(), .refused(wait: .seconds(1)))
        #expect(admit(&gate, flight()) == .send)
    }

    @Test func anExhaustedBudgetWaitsAndReturnsTheProbe() {
        // Ten an hour: one at once.
        var gate = gate(hourlyRequests: 10)
        #expect(admit(&gate, flight("/1")) == .send)
        guard case .wait(let wait, .budget) = admit(&gate, flight("/2")) else {
            Issue.record("it is sent")
            return
        }
        #expect(wait > .zero)
        #expect(gate.breaker.state == .closed)
    }

    @Test func oneCallerOpensTheFeedAndOthersWait() {
        var gate = gate()
        #expect(gate.findSession(hand.context()) == .open)
        #expect(gate.findSession(hand.context()) == .join)
        #expect(gate.session.failed(nil, hand.context()) == .seconds(1))
        #expect(gate.findSession(hand.context()) == .wait(.seconds(1)))
        hand.advance(by: .seconds(1))
        #expect(gate.findSession(hand.context()) == .open)
        let session = ProviderSession()
        gate.session.opened(session, hand.context())
        #expect(gate.findSession(hand.context()) == .use(session))
    }

    @Test func aRefusedTokenReopensTheFeed() {
        var gate = gate()
        _ = gate.findSession(hand.context())
        gate.session.opened(ProviderSession(tables: ProviderReplies(["words": [1]])), hand.context())
        hand.advance(by: IngestLimits.sessionReopenEvery)
        func reopens(after error: AdapterError) -> Bool { gate.session.unreadable(error, now: hand.clock().monotonic) }
        #expect(!reopens(after: .notJSON))
        #expect(reopens(after: .unknownWord(path: "x", word: "y")))
        #expect(gate.findSession(hand.context()) == .open)
        gate.session.opened(ProviderSession(), hand.context())
        hand.advance(by: IngestLimits.sessionReopenEvery)
        #expect(!reopens(after: .unknownWord(path: "x", word: "y")), "there are no tables")
        #expect(reopens(after: .refused(path: "x", reason: "y")))
    }
}
