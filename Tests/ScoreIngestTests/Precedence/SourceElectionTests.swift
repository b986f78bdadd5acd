// Who speaks for a match that several feeds tell, by a clock that a test moves.

import ScoreTypes
import Testing

@testable import ScoreIngest

@Suite struct SourceElectionTests {
    private static let first = FeedID(unchecked: "first")
    private static let second = FeedID(unchecked: "second")

    private struct Bench {
        let clock = HandClock()
        var election = SourceElection()

        init() {
            election.join(first, precedence: 1, now: .zero)
            election.join(second, precedence: 2, now: .zero)
        }

        mutating func answer(_ feed: FeedID, isBehind: Bool = false) -> SourceElection.Role {
            let service = clock.clock()
            return election.answered(
                feed,
                isBehind: isBehind,
                isResting: false,
                now: service.monotonic,
                clock: service
            )
        }

        mutating func pass(_ seconds: Int) { clock.advance(by: .seconds(seconds)) }
    }

    @Test func theFirstChoiceIsWaitedForAtTheBeginning() {
        var bench = Bench()
        #expect(bench.answer(Self.second) == .follows)
        bench.pass(5)
        #expect(bench.answer(Self.first) == .leads(isNew: false))
        #expect(bench.answer(Self.second) == .follows)
    }

    @Test func whoIsSecondSpeaksWhenTheFirstNeverDoes() {
        var bench = Bench()
        #expect(bench.answer(Self.second) == .follows)
        bench.pass(15)
        #expect(bench.answer(Self.second) == .leads(isNew: false))
    }

    @Test func afterASilenceTheOtherSpeaksAndThenTheFirstAgain() {
        var bench = Bench()
        #expect(bench.answer(Self.first) == .leads(isNew: false))
        bench.pass(29)
        #expect(bench.answer(Self.second) == .follows)
        bench.pass(1)
        #expect(bench.answer(Self.second) == .leads(isNew: true))
        // Back, but not at the first word.
        bench.pass(5)
        #expect(bench.answer(Self.first) == .follows)
        for _ in 0..<5 {
            bench.pass(5)
            #expect(bench.answer(Self.second) == .leads(isNew: false))
            #expect(bench.answer(Self.first) == .follows)
        }
        bench.pass(5)
        #expect(bench.answer(Self.first) == .leads(isNew: true))
        #expect(bench.answer(Self.second) == .follows)
    }

    @Test func aFeedThatStammersDoesNotComeBack() {
        var bench = Bench()
        _ = bench.answer(Self.first)
        bench.pass(30)
        #expect(bench.answer(Self.second) == .leads(isNew: true))
        for _ in 0..<10 {
            bench.pass(31)
            _ = bench.answer(Self.second)
            #expect(bench.answer(Self.first) == .follows)
        }
    }

    @Test func whoIsBehindWaitsUntilItHasCaughtUpOrNobodyElseComes() {
        var bench = Bench()
        _ = bench.answer(Self.first)
        bench.pass(30)
        #expect(bench.answer(Self.second, isBehind: true) == .follows)
        bench.pass(10)
        #expect(bench.answer(Self.second) == .leads(isNew: true))
        var other = Bench()
        _ = other.answer(Self.first)
        other.pass(149)
        #expect(other.answer(Self.second, isBehind: true) == .follows)
        other.pass(1)
        #expect(other.answer(Self.second, isBehind: true) == .leads(isNew: true))
    }

    @Test func whoLeavesMakesRoom() {
        var bench = Bench()
        _ = bench.answer(Self.first)
        bench.election.leave(Self.first)
        #expect(bench.election.leader == nil && bench.election.feedCount == 1)
        #expect(bench.answer(Self.second) == .leads(isNew: false))
    }
}
