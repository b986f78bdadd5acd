// A loop runs work in order, timers on time, and accepted work even when it stops.

import ScoreTypes
import Synchronization
import Testing

@testable import HTTP2

@Suite(.timeLimit(.minutes(1)))
struct EventLoopTests {
    @Test func workRunsInOrder() async {
        let loop = EventLoop(name: "test")
        let seen = Observed<[Int]>([])
        for number in 0..<100 { loop.execute { _ in seen.update { $0.append(number) } } }
        #expect(await seen.wait { $0.count == 100 } == Array(0..<100))
        loop.stop()
    }

    @Test func timersFireInOrderUnlessCancelled() async {
        let loop = EventLoop(name: "test")
        let seen = Observed<[Int]>([])
        loop.execute { context in
            context.schedule(after: .milliseconds(30)) { _ in seen.update { $0.append(3) } }
            let cancelled = context.schedule(after: .milliseconds(5)) { _ in seen.update { $0.append(0) } }
            context.schedule(after: .milliseconds(20)) { _ in seen.update { $0.append(2) } }
            context.schedule(after: .milliseconds(10)) { _ in seen.update { $0.append(1) } }
            cancelled.map(context.cancel)
        }
        #expect(await seen.wait { $0.count == 3 } == [1, 2, 3])
        loop.stop()
    }

    @Test func aStoppedLoopRefusesWork() async {
        let loop = EventLoop(name: "test")
        loop.stop()
        #expect(!loop.execute { _ in Issue.record("ran on a stopped loop") })
    }

    @Test func theEndOfAThreadIsAwaitedUntilItsObjectsAreReleased() async {
        let loop = EventLoop(name: "test")
        let released = Observed(false)
        loop.execute { context in _ = context.keep(ReleaseNote { released.update { $0 = true } }) }
        async let first: Void = loop.ended()
        loop.stop()
        await first
        #expect(released.now)
        await loop.ended()
    }

    /// Runs a closure when it is released.
    private final class ReleaseNote {
        private let note: () -> Void
        init(_ note: @escaping () -> Void) { self.note = note }
        deinit { note() }
    }

    @Test func acceptedWorkRunsEvenAfterAStop() async {
        let loop = EventLoop(name: "test")
        let seen = Observed<[Bool]>([])
        loop.execute { _ in loop.stop() }
        if loop.execute({ context in seen.update { $0.append(context.isStopping) } }) {
            #expect(await seen.wait { !$0.isEmpty }.count == 1)
        }
    }

    @Test func aFullLoopRefusesWork() async {
        let loop = EventLoop(name: "test")
        let gate = Mutex(false)
        let isBlocked = Observed(false)
        loop.execute { _ in
            isBlocked.update { $0 = true }
            while !gate.withLock({ $0 }) {}
        }
        await isBlocked.wait { $0 }
        var accepted = 0
        while loop.execute({ _ in }) { accepted += 1 }
        #expect(accepted == HTTP2Limits.loopWorkWaiting)
        gate.withLock { $0 = true }
        loop.stop()
    }

    @Test func keysAreValidUntilTheObjectIsDropped() async {
        final class Thing {}
        let loop = EventLoop(name: "test")
        let found = Observed<[Bool]>([])
        loop.execute { context in
            let key = context.keep(Thing())
            found.update { $0.append(context[key] != nil) }
            context.drop(key)
            found.update { $0.append(context[key] != nil) }
        }
        #expect(await found.wait { $0.count == 2 } == [true, false])
        loop.stop()
    }
}

struct TimerQueueTests {
    @Test func timersAreReturnedInOrderOfDeadline() {
        let seed = UInt64.random(in: 1...UInt64.max)
        var random = SplitMix64(seed: seed)
        var queue = TimerQueue<Int>()
        var expected: [(due: Int64, number: Int)] = []
        var timers: [LoopTimer] = []
        for number in 0..<2000 {
            let due = Int64(random.next() % 500)
            guard let timer = queue.insert(due: due, number) else { continue }
            timers.append(timer)
            expected.append((due, number))
        }
        for number in stride(from: 0, to: 2000, by: 3) { queue.cancel(timers[number]) }
        expected.removeAll { $0.number.isMultiple(of: 3) }
        expected.sort { ($0.due, $0.number) < ($1.due, $1.number) }
        var popped: [Int] = []
        while let number = queue.popDue(at: 1000) { popped.append(number) }
        #expect(popped == expected.map(\.number), "seed \(seed)")
    }

    @Test func noTimerIsEarlyAndAFullQueueRefuses() {
        var queue = TimerQueue<Int>()
        for number in 0..<HTTP2Limits.loopTimers { _ = queue.insert(due: 10, number) }
        #expect(queue.count == HTTP2Limits.loopTimers)
        #expect(queue.insert(due: 10, -1) == nil)
        #expect(queue.popDue(at: 9) == nil)
        #expect(queue.popDue(at: 10) == 0)
        #expect(queue.insert(due: 10, -1) != nil)
    }
}
