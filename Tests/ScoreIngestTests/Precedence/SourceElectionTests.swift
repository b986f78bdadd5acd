// The election of the leading feed of a match, with a clock that a test moves.

import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct SourceElectionTests {
    private static let first = FeedID(unchecked: "first")
    private static let second = FeedID(unchecked: "second")

    private struct Bench {
        let clock = ManualClock()
        var election = SourceElection()

        init() {
            election.join(first, precedence: 1, now: .zero)
            election.join(second, precedence: 2, now: .zero)
        }

        mutating func answer(
            _ feed: FeedID,
            isBehind: Bool = false,
            isResting: Bool = false,
            isOver: Bool = false
        ) -> SourceElection.Role {
            let service = clock.clock()
            return election.answered(
                feed,
                isBehind: isBehind,
                isResting: isResting,
                isOver: isOver,
                now: service.monotonic,
                service
            )
        }

        mutating func pass(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }
    }

    @Test func theFirstFeedIsAwaitedAtTheBeginning() {
        var bench = Bench()
        #expect(bench.answer(Self.second) == .standsBy)
        bench.pass(5)
        #expect(bench.answer(Self.first) == .leads(isNew: false))
        #expect(bench.answer(Self.second) == .standsBy)
    }

    @Test func theSecondFeedLeadsWhenTheFirstNeverAnswers() {
        var bench = Bench()
        #expect(bench.answer(Self.second) == .standsBy)
        bench.pass(15)
        #expect(bench.answer(Self.second) == .leads(isNew: false))
    }

    @Test func theFirstFeedLeadsAgainAfterASilence() {
        var bench = Bench()
        #expect(bench.answer(Self.first) == .leads(isNew: false))
        bench.pass(29)
        #expect(bench.answer(Self.second) == .standsBy)
        bench.pass(1)
        #expect(bench.answer(Self.second) == .leads(isNew: true))
        // It is back, but not with its first answer.
        bench.pass(5)
        #expect(bench.answer(Self.first) == .standsBy)
        for _ in 0..<5 {
            bench.pass(5)
            #expect(bench.answer(Self.second) == .leads(isNew: false))
            #expect(bench.answer(Self.first) == .standsBy)
        }
        bench.pass(5)
        #expect(bench.answer(Self.first) == .leads(isNew: true))
        #expect(bench.answer(Self.second) == .standsBy)
    }

    @Test func anIntermittentFeedDoesNotTakeTheLeadBack() {
        var bench = Bench()
        _ = bench.answer(Self.first)
        bench.pass(30)
        #expect(bench.answer(Self.second) == .leads(isNew: true))
        for feed in [Self.first, Self.second] { bench.election.isPolledAgain(feed, in: .seconds(5)) }
        for _ in 0..<10 {
            for _ in 0..<6 {
                bench.pass(5)
                #expect(bench.answer(Self.second) == .leads(isNew: false))
            }
            bench.pass(1)
            #expect(bench.answer(Self.first) == .standsBy)
        }
    }

    @Test func aLaggingFeedWaitsUntilItHasCaughtUp() {
        var bench = Bench()
        _ = bench.answer(Self.first)
        bench.pass(30)
        #expect(bench.answer(Self.second, isBehind: true) == .standsBy)
        bench.pass(10)
        #expect(bench.answer(Self.second) == .leads(isNew: true))
        var other = Bench()
        _ = other.answer(Self.first)
        other.pass(149)
        #expect(other.answer(Self.second, isBehind: true) == .standsBy)
        other.pass(1)
        #expect(other.answer(Self.second, isBehind: true) == .leads(isNew: true))
    }

    @Test func aFeedThatLeavesIsReplacedAfterTheUsualSilence() {
        var bench = Bench()
        _ = bench.answer(Self.first)
        bench.election.leave(Self.first)
        bench.pass(29)
        #expect(bench.answer(Self.second) == .standsBy && bench.election.leader == Self.first)
        bench.pass(1)
        #expect(bench.answer(Self.second, isBehind: true) == .standsBy)
        #expect(bench.answer(Self.second) == .leads(isNew: true))
        // The departure of a standby feed has no effect.
        bench.election.join(Self.first, precedence: 1, now: .seconds(60))
        bench.election.leave(Self.first)
        #expect(bench.answer(Self.second) == .leads(isNew: false))
    }

    @Test func aFeedThatReturnsInTimeKeepsTheLead() {
        var bench = Bench()
        _ = bench.answer(Self.first)
        bench.election.leave(Self.first)
        bench.pass(20)
        bench.election.join(Self.first, precedence: 1, now: .seconds(20))
        #expect(bench.answer(Self.first) == .leads(isNew: false))
        bench.pass(20)
        #expect(bench.answer(Self.second) == .standsBy)
    }

    @Test func theLeaderOfAnotherNodeIsAwaited() {
        var bench = Bench()
        bench.election.recall(Self.second, precedence: 2)
        #expect(bench.answer(Self.first) == .standsBy)
        #expect(bench.answer(Self.second) == .leads(isNew: false))
        var other = Bench()
        other.election.recall(FeedID(unchecked: "gone"), precedence: .max)
        #expect(other.answer(Self.first) == .standsBy)
        other.pass(30)
        #expect(other.answer(Self.first) == .leads(isNew: true))
        other.election.recall(Self.second, precedence: 2)
        #expect(other.election.leader == Self.first)
    }

    @Test func aStandbyFeedDoesNotRepeatAFinishedMatch() {
        var bench = Bench()
        _ = bench.answer(Self.first)
        bench.election.leave(Self.first)
        bench.pass(10_000)
        #expect(bench.answer(Self.second, isResting: true, isOver: true) == .standsBy)
        // A node that still has it is silent, and only a feed that closed is gone.
        bench.election.join(Self.first, precedence: 1, now: .seconds(10_000))
        #expect(bench.answer(Self.second, isResting: true, isOver: true) == .leads(isNew: true))
        bench.election.leave(Self.second)
        for _ in 0..<4 {
            bench.pass(10)
            _ = bench.answer(Self.first, isOver: true)
        }
        #expect(bench.election.leader == Self.first, "the better one corrects its time of absence")
    }

    @Test func aRarelyPolledFeedIsNotSilent() {
        var bench = Bench()
        _ = bench.answer(Self.first)
        bench.election.isPolledAgain(Self.first, in: .seconds(33))
        bench.pass(65)
        #expect(bench.answer(Self.second) == .standsBy)
        bench.pass(1)
        #expect(bench.answer(Self.second) == .leads(isNew: true))
        // Its own slow cadence is no interruption either when it is back.
        bench.pass(1)
        #expect(bench.answer(Self.first) == .standsBy)
        bench.election.isPolledAgain(Self.first, in: .seconds(33))
        for _ in 0..<6 {
            bench.pass(5)
            #expect(bench.answer(Self.second) == .leads(isNew: false))
        }
        bench.pass(3)
        #expect(bench.answer(Self.first) == .leads(isNew: true))
    }

    @Test func twoSlowCadencesMayDriftApart() {
        var bench = Bench()
        bench.pass(15)
        for feed in [Self.first, Self.second] {
            _ = bench.answer(feed, isResting: true)
            bench.election.isPolledAgain(feed, in: .seconds(330))
        }
        for _ in 0..<10 {
            bench.pass(250)
            #expect(bench.answer(Self.second, isResting: true) == .standsBy)
            bench.pass(80)
            #expect(bench.answer(Self.first, isResting: true) == .leads(isNew: false))
        }
    }
}
