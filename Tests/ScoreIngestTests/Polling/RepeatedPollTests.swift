// A held reply is repeated soon, and so is a reply with a pending alert.

import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct RepeatedPollTests {
    private let hand = ManualClock()

    private func poll(_ status: MatchStatus, held: Int) -> MatchPoll {
        var poll = MatchPoll(PolledFeed.fixture("m", status), hand)
        for _ in 0..<held { poll.handedOver(status, .held(.scoreFell), now: .zero) }
        return poll
    }

    private func wait(
        _ poll: inout MatchPoll,
        _ cadence: Cadence = Cadence(),
        look: Duration? = nil,
        jitter: Double
    ) -> Duration {
        poll.wait(cadence, look: look, hand.context(jitter: jitter))
    }

    @Test(arguments: [MatchStatus.live, .rain, .stumps, .scheduled]) func aHeldReplyIsPolledAgainSoon(
        status: MatchStatus
    ) {
        var poll = poll(status, held: 1)
        #expect(wait(&poll, jitter: 0) == .seconds(1))
        #expect(wait(&poll, jitter: 0.5) == .milliseconds(1_500))
        #expect(wait(&poll, jitter: 1) == .seconds(2))
        poll.handedOver(status, .unchanged, now: .zero)
        #expect(wait(&poll, jitter: 1) > .seconds(2))
    }

    @Test func aPendingAlertShortensASlowCadence() {
        var poll = poll(.rain, held: 0)
        #expect(wait(&poll, look: .seconds(10), jitter: 0.5) == .seconds(5), "a mistake is corrected soon")
        #expect(wait(&poll, look: .milliseconds(5_900), jitter: 0.5) == .milliseconds(5_900), "one poll, not two")
        #expect(wait(&poll, look: .milliseconds(3_100), jitter: 0.5) == .milliseconds(3_100))
        #expect(wait(&poll, look: .zero, jitter: 0.5) == .seconds(1))
        #expect(wait(&poll, jitter: 0.5) == .seconds(20))
        var quick = Cadence()
        quick.pause = .seconds(2)
        #expect(wait(&poll, quick, look: .seconds(10), jitter: 0.5) == .seconds(2))
        poll.handedOver(.rain, .held(.scoreFell), now: .zero)
        #expect(wait(&poll, look: .seconds(10), jitter: 1) == .seconds(2))
    }

    @Test func anInconsistentProviderIsPolledAtTheUsualRate() {
        var poll = poll(.live, held: 2)
        #expect(wait(&poll, jitter: 1) == .seconds(2))
        poll.handedOver(.live, .held(.scoreFell), now: .zero)
        #expect(wait(&poll, jitter: 0.5) == .seconds(5))
    }

    @Test(arguments: [MatchStatus.live, .stumps]) func theLastRepeatComesAfterTheLifeOfACopy(status: MatchStatus) {
        var poll = poll(status, held: IngestLimits.secondLooksMax)
        #expect(wait(&poll, jitter: 0) <= JournalLimits.copyLife)
        #expect(wait(&poll, jitter: 1) == JournalLimits.copyLife)
    }

    @Test func anEmptyListCausesAFullRequest() {
        var poll = poll(.live, held: 0)
        poll.replies.store.take([1], etag: "a", of: .match)
        poll.handedOver(.live, .dropped(.olderVersion), now: .zero)
        #expect(poll.replies.store.replies[.match] == [1] && poll.replies.store.isFresh)
        poll.handedOver(.live, .dropped(.emptyList), now: .zero)
        #expect(poll.replies.store.replies.isEmpty)
    }

    @Test func aMatchIsNotReleasedWhileItsLastReplyIsHeld() {
        var poll = poll(.result, held: 0)
        poll.handedOver(.result, .unchanged, now: hand.clock().monotonic)
        hand.advance(by: .seconds(700))
        poll.handedOver(.live, .held(.resultTakenBack), now: hand.clock().monotonic)
        #expect(wait(&poll, jitter: 0) == .seconds(1))
        #expect(poll.end == nil)
        poll.handedOver(.result, .unchanged, now: hand.clock().monotonic)
        _ = wait(&poll, jitter: 0)
        #expect(poll.end == .done)
    }
}
