// The values of balls mode: the way to resume, the changes in memory, and the queue of a slow reader.

import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreServer

@Suite struct BallsValueTests {
    private static func history(through last: Int64, from first: Int64 = 1) throws -> ChangeHistory {
        let history = ChangeHistory(clock: ServiceClock())
        _ = history.append(try Samples.view(last), Samples.entries(first...last))
        return history
    }

    /// The numbers of the events in memory after a revision; nil when some are not.
    private static func numbers(_ history: ChangeHistory, after last: Int64, epoch: String = "Abcd1234") throws
        -> [Int64]?
    {
        let position = try Samples.revision(last, epoch: epoch)
        return history.frames(of: Samples.match, after: position)?.map(\.revision.number)
    }

    private static func batch(_ numbers: ClosedRange<Int64>, match: MatchID = Samples.match) throws -> StreamBatch {
        let history = ChangeHistory(clock: ServiceClock())
        return history.append(try Samples.view(numbers.upperBound, match: match), Samples.entries(numbers))
    }

    @Test(
        arguments: [
            (nil, false, BallsResume.fresh), (nil, true, .reset(.unknownPosition)), (900, true, .memory),
            (1_000, true, .memory), (899, true, .database(count: 1)), (400, true, .database(count: 500)),
            (399, true, .reset(.compacted)), (1_001, true, .reset(.unknownPosition)), (-7, true, .reset(.compacted)),
            (.min, true, .reset(.compacted)), (.max, true, .reset(.unknownPosition)),
        ] as [(Int64?, Bool, BallsResume)]
    )
    func aClientResumesFromMemoryThenFromTheDatabase(position: Int64?, claimed: Bool, expected: BallsResume) throws {
        let head = try Samples.revision(1_000)
        let span = ChangeRing.Span(head: head, base: 900)
        let position = try position.map { try Samples.revision($0) }
        #expect(BallsResume.judge(position, claimed: claimed, head: head, span: span) == expected)
    }

    @Test func withoutMemoryTheDatabaseIsReadUpToTheHead() throws {
        let head = try Samples.revision(100)
        func judge(_ position: Revision) -> BallsResume { .judge(position, claimed: true, head: head, span: nil) }
        let (behind, foreign) = (try Samples.revision(97), try Samples.revision(97, epoch: "Other999"))
        #expect(judge(head) == .memory)
        #expect(judge(behind) == .database(count: 3))
        #expect(judge(foreign) == .reset(.epochChanged))
        // The memory of another epoch does not count.
        let old = ChangeRing.Span(head: try Samples.revision(300, epoch: "Other999"), base: 0)
        let position = try Samples.revision(97)
        #expect(BallsResume.judge(position, claimed: true, head: head, span: old) == .database(count: 3))
    }

    @Test func theRingHasNoGapAndABound() throws {
        let history = try Self.history(through: 20)
        #expect(history.span(of: Samples.match)?.base == 0)
        #expect(try Self.numbers(history, after: 17) == [18, 19, 20])
        #expect(try Self.numbers(history, after: 20) == [])
        #expect(try Self.numbers(history, after: 21) == nil)
        #expect(try Self.numbers(history, after: 17, epoch: "Other999") == nil)
        _ = history.append(try Samples.view(22), Samples.entries(21...22))
        #expect(try Self.numbers(history, after: 19) == [20, 21, 22])
        _ = history.append(try Samples.view(31), Samples.entries(30...31))
        #expect(history.span(of: Samples.match)?.base == 29, "entries before a gap are dropped")
        let many = Int64(ServerLimits.ringChanges)
        _ = history.append(try Samples.view(31 + many), Samples.entries(32...31 + many))
        #expect(history.span(of: Samples.match)?.base == 31)
        _ = history.append(try Samples.view(40 + many), [])
        #expect(try Self.numbers(history, after: 39 + many) == nil)
    }

    @Test func oldChangesLeaveTheRing() throws {
        let now = ServiceClock().wall
        let epoch = try #require(Epoch("Abcd1234"))
        let elements = (1...3).map { number in
            let entry = Samples.entry(Int64(number))
            let frame = StreamFrame(entry, of: Samples.match, epoch: epoch)
            return ChangeRing.Element(frame: frame, at: now - .seconds(Int64(1_300 - number * 100)))
        }
        var ring = ChangeRing(at: try Samples.revision(0))
        ring.append(elements, upTo: try Samples.revision(3), newest: elements.last?.frame, now: now)
        #expect(ring.span.base == 0)
        ring.prune(now: now + .seconds(50))
        #expect(ring.span.base == 1)
        ring.prune(now: now + .seconds(10_000))
        #expect(ring.isEmpty && ring.span.base == 3)
    }

    @Test("C3: replays from the database have a budget each second") func theBudgetOfReplaysIsPerSecond() {
        let clock = ManualClock()
        let history = ChangeHistory(clock: clock.clock())
        let taken = (0..<100).filter { _ in history.takeReplay() }.count
        #expect(taken == ServerLimits.databaseReplaysPerSecond)
        clock.advance(by: .milliseconds(500))
        let later = (0..<100).filter { _ in history.takeReplay() }.count
        #expect(later == ServerLimits.databaseReplaysPerSecond / 2)
    }

    @Test func aSlowReaderGetsOneResetAndThenItsStreamEnds() throws {
        var queue = BallsQueue()
        queue.begin(Samples.match, at: try Samples.revision(0))
        var (next, offers) = (Int64(1), [StreamOffer]())
        while offers.last != .slow && next < 2_000 {
            offers.append(queue.offer(try Self.batch(next...next + 9)))
            next += 10
        }
        #expect(offers.filter { $0 == .skipped }.count == 1)
        var taken: [Int64] = []
        while !queue.isEmpty { taken += queue.take().map(\.revision.number) }
        let first = try #require(taken.first)
        #expect(taken == taken.indices.map { first + Int64($0) }, "no gap after the reset")
    }

    @Test func aLargeCorrectionIsNoFaultOfAReaderThatWaits() throws {
        var queue = BallsQueue()
        queue.begin(Samples.match, at: try Samples.revision(0))
        let offer = queue.offer(try Self.batch(1...600))
        #expect(offer == .kept)
        let count = queue.take().count
        #expect(count == ServerLimits.ballsPerWrite)
    }

    @Test func aGapOrAnotherEpochResets() throws {
        var queue = BallsQueue()
        queue.begin(Samples.match, at: try Samples.revision(4))
        let known = queue.offer(try Self.batch(3...4))
        #expect(known == .kept && queue.isEmpty)
        let next = queue.offer(try Self.batch(3...6))
        let numbers = queue.take().map(\.revision.number)
        #expect(next == .kept && numbers == [5, 6])
        let later = queue.offer(try Self.batch(8...9))
        let last = queue.take().map(\.revision.number)
        #expect(later == .skipped && last == [9])
    }

    @Test func theNewestEventContainsTheCompleteState() throws {
        let history = try Self.history(through: 3)
        let frames = try #require(history.frames(of: Samples.match, after: try Samples.revision(1)))
        #expect(frames[1].byteCount > frames[0].byteCount + 400)
    }
}
