// A provider may lose a match for a while, or for good: what people watch ends only in the second case.

import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct GoneMatchTests {
    private static let gone = FetchFailure(label: .http4xx, status: 404, retryAfter: nil)
    private static let down = FetchFailure(label: .http5xx, status: 503, retryAfter: nil)
    private static let match = MatchID(unchecked: "m1")

    private let hand: ManualClock
    private let clock: ServiceClock

    init() {
        hand = ManualClock()
        clock = hand.clock()
    }

    private func poll() -> MatchPoll {
        MatchPoll(Fixture(id: ProviderMatchID(unchecked: "m1"), match: Self.match, status: .live))
    }

    private func fail(
        _ poll: inout MatchPoll,
        _ failure: FetchFailure = gone,
        times: Int = 1,
        isInPlay: Bool = true,
        isListed: Bool = false
    ) {
        for _ in 0..<times {
            _ = poll.failed(failure, isInPlay: isInPlay, isListed: isListed, clock: clock, jitter: 0.5)
        }
    }

    @Test("F16: a match in play is given up half an hour after it was last known")
    func grace() {
        var poll = poll()
        fail(&poll, times: MatchPoll.goneMax * 2)
        hand.advance(by: MatchPoll.goneGrace - .seconds(1))
        fail(&poll)
        #expect(!poll.isDone && !poll.isGone)
        hand.advance(by: .seconds(1))
        fail(&poll)
        #expect(poll.isDone && poll.isGone)
    }

    @Test("F16: a match that is back, or whose provider fails otherwise, begins its grace anew")
    func back() {
        var answered = poll()
        var failed = poll()
        fail(&answered, times: MatchPoll.goneMax)
        fail(&failed, times: MatchPoll.goneMax)
        hand.advance(by: MatchPoll.goneGrace)
        answered.answered()
        fail(&failed, Self.down)
        fail(&answered, times: MatchPoll.goneMax)
        fail(&failed, times: MatchPoll.goneMax)
        #expect(!answered.isDone && !failed.isDone)
    }

    @Test("F16: who lists a match in play has not dropped it")
    func listed() {
        var poll = poll()
        fail(&poll, times: MatchPoll.goneMax, isListed: true)
        hand.advance(by: MatchPoll.goneGrace)
        fail(&poll, isListed: true)
        #expect(!poll.isDone)
        fail(&poll)
        #expect(poll.isGone)
    }

    @Test("F16: a match that is gone and listed is polled again, if it is over not for ever")
    func listedAgain() {
        var schedule = PollSchedule()
        let names = ["live", "over", "unlisted"]
        func fixtures(_ status: MatchStatus) -> [Fixture] {
            names.map { name in
                Fixture(
                    id: ProviderMatchID(unchecked: name),
                    match: MatchID(unchecked: name),
                    startsAt: clock.wall.seconds - 3_600,
                    status: name == "over" ? .noResult : status
                )
            }
        }
        let list = fixtures(.live).filter { $0.match.text != "unlisted" }
        for round in 0...PollSchedule.retriesMax {
            for fixture in fixtures(.live) { schedule.finish(fixture, isGone: true) }
            let vanished = schedule.listed(list)
            #expect(vanished.map(\.text) == ["unlisted"])
            let due = schedule.turn(list, followed: [:], clock: clock).begins.map(\.match.text)
            #expect(due == (round < PollSchedule.retriesMax ? ["live", "over"] : ["live"]))
        }
    }

    @Test func whatCameOfAStoppedRoundIsGoodForAWhile() {
        var poll = poll()
        poll.store.take(Array("frame".utf8), etag: nil, of: .match)
        poll.store.wasAnswered(.match)
        poll.wasStopped(now: .seconds(10))
        poll.beginsRound(now: .seconds(100))
        poll.wasStopped(now: .seconds(100))
        #expect(poll.store.answered == [.match])
        poll.beginsRound(now: .seconds(10) + MatchPoll.roundLife)
        #expect(poll.store.answered == [.match])
        poll.beginsRound(now: .seconds(11) + MatchPoll.roundLife)
        #expect(poll.store.answered.isEmpty, "the oldest counts")
    }

    @Test func whatANoticeTellsOfIsAskedForAgainInAStoppedRound() {
        var poll = poll()
        poll.store.wasAnswered(.match)
        var news = PushedNews()
        poll.take(news.after(poll.notices))
        #expect(poll.store.answered == [.match])
        let id = ProviderMatchID(unchecked: "m1")
        news.take(.notice(ProviderNotice(provider: .roanuz, match: id, reason: .update, kind: .other)))
        poll.take(news.after(poll.notices))
        #expect(poll.store.answered.isEmpty)
        poll.store.wasAnswered(.match)
        poll.take(PushedNews().after(poll.notices))
        #expect(poll.store.answered == [.match], "once")
    }

    @Test("F16: a match that is not in play is given up after ten answers")
    func notInPlay() {
        var poll = poll()
        fail(&poll, times: MatchPoll.goneMax - 1, isInPlay: false, isListed: true)
        #expect(!poll.isDone)
        fail(&poll, isInPlay: false, isListed: true)
        #expect(poll.isGone)
    }
}
