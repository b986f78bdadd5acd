// A provider may lose a match for a while or for good; only the second ends it for followers.

import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct MatchPollTests {
    private let hand = ManualClock()

    private func poll(_ status: MatchStatus = .live, isListed: Bool = false) -> MatchPoll {
        MatchPoll(PolledFeed.fixture("m1", status), isListed: isListed, hand)
    }

    private func lose(_ poll: inout MatchPoll, times: Int = 1, isInPlay: Bool = true) {
        for _ in 0..<times { _ = poll.failed(PolledFeed.unknown, isInPlay: isInPlay, hand.context()) }
    }

    @Test("F16: a match in play is given up half an hour after it was last known")
    func aMatchInPlayIsGivenUpAfterItsGrace() {
        var poll = poll()
        lose(&poll, times: IngestLimits.goneMax * 2)
        hand.advance(by: IngestLimits.goneGrace - .seconds(1))
        lose(&poll)
        #expect(poll.end == nil)
        hand.advance(by: .seconds(1))
        lose(&poll)
        #expect(poll.end == .gone)
    }

    @Test func aResyncRequestsEverythingAnewAndLastsUntilAReplyIsTaken() {
        var poll = poll()
        poll.replies.store.take(Array("{}".utf8), etag: "\"1\"", of: "match")
        poll.resync()
        #expect(poll.isResyncing && poll.replies.store.etag(of: "match") == nil)
        _ = poll.handle(.writerFailed, hand.context())
        #expect(poll.isResyncing)
        _ = poll.handle(.accepted(.live, .unchanged, resync: 1, look: nil), hand.context())
        #expect(!poll.isResyncing)
    }

    @Test("F16: an answer, or a failure of another kind, restarts the grace")
    func anAnswerRestartsTheGrace() {
        var answered = poll()
        var failed = poll()
        lose(&answered, times: IngestLimits.goneMax)
        lose(&failed, times: IngestLimits.goneMax)
        hand.advance(by: IngestLimits.goneGrace)
        answered.answered()
        _ = failed.failed(FetchFailure(label: .http5xx, status: 503, retryAfter: nil), isInPlay: true, hand.context())
        lose(&answered, times: IngestLimits.goneMax)
        lose(&failed, times: IngestLimits.goneMax)
        #expect(answered.end == nil && failed.end == nil)
    }

    @Test("F16: a match in play that is listed is not given up")
    func aMatchInPlayThatIsListedIsNotGivenUp() {
        var poll = poll(isListed: true)
        lose(&poll, times: IngestLimits.goneMax)
        hand.advance(by: IngestLimits.goneGrace)
        lose(&poll)
        #expect(poll.end == nil)
        _ = poll.listed(nil, at: hand.clock().wall)
        lose(&poll)
        #expect(poll.end == .gone)
    }

    @Test("F16: a match that is not in play is given up after ten answers")
    func aMatchThatIsNotInPlayIsGivenUpAfterTenAnswers() {
        var poll = poll(isListed: true)
        lose(&poll, times: IngestLimits.goneMax - 1, isInPlay: false)
        #expect(poll.end == nil)
        lose(&poll, isInPlay: false)
        #expect(poll.end == .gone)
    }

    @Test func answersOfAStoppedRoundAreUsedForAWhile() {
        var poll = poll()
        poll.replies.store.take(Array("frame".utf8), etag: nil, of: .match)
        poll.replies.store.wasAnswered(.match)
        poll.wasStopped(now: hand.clock().monotonic)
        hand.advance(by: .seconds(100))
        _ = poll.takePushed(hand.context())
        poll.wasStopped(now: hand.clock().monotonic)
        #expect(poll.replies.store.answered == [.match])
        hand.advance(by: IngestLimits.stoppedRoundLife - .seconds(100))
        _ = poll.takePushed(hand.context())
        #expect(poll.replies.store.answered == [.match])
        hand.advance(by: .seconds(1))
        _ = poll.takePushed(hand.context())
        #expect(poll.replies.store.answered.isEmpty, "the first stop is used")
    }

    @Test func aNoticeRestartsAStoppedRoundOnce() {
        var poll = poll()
        poll.replies.store.wasAnswered(.match)
        _ = poll.takePushed(hand.context())
        #expect(poll.replies.store.answered == [.match])
        poll.pushed.take(.notice(ProviderNotice(match: poll.id)))
        _ = poll.takePushed(hand.context())
        #expect(poll.replies.store.answered.isEmpty)
        poll.replies.store.wasAnswered(.match)
        _ = poll.takePushed(hand.context())
        #expect(poll.replies.store.answered == [.match])
    }

    @Test func aListThatIsAlwaysLiveTriggersNoPoll() {
        var poll = MatchPoll(PolledFeed.fixture("77", .live, -100), hand)
        func listed(_ status: MatchStatus, whileItsPageSays page: MatchStatus) -> Bool {
            poll.handedOver(page, .unchanged, now: .zero)
            return poll.listed(PolledFeed.fixture("77", status, -100), at: hand.clock().wall)
        }
        #expect(!listed(.live, whileItsPageSays: .stumps))
        #expect(!listed(.stumps, whileItsPageSays: .stumps))
        #expect(listed(.live, whileItsPageSays: .stumps))
        #expect(listed(.live, whileItsPageSays: .stumps), "until its own page has it")
        #expect(!listed(.live, whileItsPageSays: .live))
        #expect(!listed(.live, whileItsPageSays: .stumps), "the list is behind in the evening")
    }
}

@Suite struct MatchEventTests {
    private let hand = ManualClock()
    private let turn = MatchEvent.turn(isEarly: false, isDutyHeld: true, isPaused: false)

    /// A match in play, polled once and due in five seconds.
    private func poll() -> MatchPoll {
        var poll = MatchPoll(PolledFeed.fixture("m1", .live), hand)
        _ = poll.handle(turn, hand.context())
        _ = poll.handle(.unchanged(look: nil), hand.context())
        return poll
    }

    private func names(_ actions: [MatchAction]) -> [String] {
        actions.map { String("\($0)".prefix { $0 != "(" }) }
    }

    @Test func aDueMatchIsOpenedAndRequested() {
        var poll = MatchPoll(PolledFeed.fixture("m1", .live), hand)
        #expect(names(poll.handle(turn, hand.context())) == ["open", "findSession"])
        #expect(names(poll.handle(.session(ProviderSession()), hand.context())) == ["request"])
    }

    @Test func aMatchThatIsNotDueIsOnlyTicked() {
        var poll = poll()
        #expect(names(poll.handle(turn, hand.context())) == ["open", "tick"])
        guard case .sleep(let wait)? = poll.handle(.ticked(nil), hand.context()).first else {
            Issue.record("it does not sleep")
            return
        }
        #expect(wait == .seconds(5))
    }

    @Test func aMatchOfAPausedFeedIsTickedAndNotRequested() {
        var poll = MatchPoll(PolledFeed.fixture("m1", .live), hand)
        #expect(names(poll.handle(.turn(isEarly: false, isDutyHeld: true, isPaused: true), hand.context())) == ["tick"])
    }

    @Test func aNodeThatLosesTheDutyClosesTheSinkAndForgetsTheReplies() {
        var poll = poll()
        poll.replies.store.take([1], etag: nil, of: .match)
        #expect(
            names(poll.handle(.turn(isEarly: false, isDutyHeld: false, isPaused: false), hand.context())) == [
                "close", "sleep",
            ]
        )
        #expect(poll.replies.store.replies.isEmpty)
    }

    /// The next round of a match, answered completely.
    private func answered(_ poll: inout MatchPoll) throws -> RequestRound {
        guard case .request(var round)? = poll.handle(.session(ProviderSession()), hand.context()).first else {
            throw NothingRequested()
        }
        let body = FetchOutcome.body(Array("live".utf8), etag: "\"1\"")
        while let request = round.next() { round.take(body, of: request) }
        return round
    }

    private struct NothingRequested: Error {}

    /// The order by which the replies of a round rebuild the match; nil when they do not.
    private func order(_ round: RequestRound, _ poll: inout MatchPoll) -> Int? {
        let actions = poll.handle(.requested(round, isInPlay: false), hand.context())
        guard case .handOver(_, _, _, let order)? = actions.first else { return nil }
        return order
    }

    @Test func aRoundBegunBeforeAResyncIsDropped() throws {
        var poll = poll()
        let old = try answered(&poll)
        poll.resync()
        #expect(names(poll.handle(.requested(old, isInPlay: false), hand.context())) == ["tick"])
        #expect(poll.replies.store.replies.isEmpty && poll.isResyncing)
        #expect(poll.dueAt == hand.clock().monotonic + IngestLimits.sleepMin, "polled at once")
        let next = try answered(&poll)
        #expect(next.store.replies.parts == [.match])
        #expect(order(next, &poll) == 1)
        _ = poll.handle(.accepted(.live, .unchanged, resync: 1, look: nil), hand.context())
        #expect(!poll.isResyncing)
    }

    @Test func aResyncDuringAHandOverIsCarriedOutByALaterReply() throws {
        var poll = poll()
        let ordinary = try answered(&poll)
        #expect(order(ordinary, &poll) == nil)
        poll.resync()
        _ = poll.handle(.accepted(.live, .unchanged, look: nil), hand.context())
        #expect(poll.isResyncing)
        let first = try answered(&poll)
        #expect(order(first, &poll) == 1)
        poll.resync()
        _ = poll.handle(.accepted(.live, .unchanged, resync: 1, look: nil), hand.context())
        #expect(poll.isResyncing, "the reply is older than the second order")
        let second = try answered(&poll)
        #expect(order(second, &poll) == 2)
    }

    @Test func aNodeThatLosesTheDutyDropsTheOrderToResync() {
        var poll = poll()
        poll.resync()
        _ = poll.handle(.turn(isEarly: false, isDutyHeld: false, isPaused: false), hand.context())
        #expect(!poll.isResyncing)
    }

    @Test func aFailedWriterIsClosedAndTheMatchReadAgain() {
        var poll = poll()
        poll.replies.store.take([1], etag: nil, of: .match)
        #expect(names(poll.handle(.writerFailed, hand.context())) == ["close", "sleep"])
        #expect(poll.replies.store.replies.isEmpty && poll.dueAt == hand.clock().monotonic + .seconds(1))
    }

    @Test func anUnansweredPollDelaysNoDuePoll() {
        func due(after wait: Int, isDue: Bool = false) -> Duration {
            var poll = poll()
            if isDue { hand.advance(by: .seconds(5)) }
            let now = hand.clock().monotonic
            _ = poll.handle(.postponed(.seconds(wait)), hand.context())
            return poll.dueAt - now
        }
        // A push came before the match was due, and the rest failed: it is due as before, or sooner.
        #expect(due(after: 30) == .seconds(5))
        #expect(due(after: 2) == .seconds(2))
        #expect(due(after: 30, isDue: true) == .seconds(30))
    }

    @Test func aPushIsPassedOnWhenTheRoundFails() {
        var poll = poll()
        var updates = PushedUpdates()
        updates.take(.replies(poll.id, ProviderReplies([.match: Array("live".utf8)])))
        poll.pushed = updates
        guard case .request(let round)? = poll.handle(.session(ProviderSession()), hand.context()).first else {
            Issue.record("nothing is requested")
            return
        }
        var failed = RequestRound(.match(poll.id, after: updates), ListAdapter(), ProviderSession(), round.store)
        failed.take(.failed(PolledFeed.unknown), of: ProviderRequest(part: "balls", path: "/balls"))
        let actions = poll.handle(.requested(failed, isInPlay: true), hand.context())
        guard case .handOver(_, _, let isAnswer, _)? = actions.first else {
            Issue.record("nothing is passed on")
            return
        }
        #expect(!isAnswer)
        #expect(names(poll.handle(.accepted(.live, .unchanged, look: nil), hand.context())) == ["tick"])
        #expect(poll.backoff.failures == 1, "the provider has not answered")
    }
}
