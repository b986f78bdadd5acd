// Sleeps that end early, and calls that do not interleave.

import ScoreTypes
import Testing

@Suite struct WakeSignalTests {
    @Test func timeOrTheSignalEndsASleep() async {
        let signal = WakeSignal()
        #expect(await signal.sleep(.milliseconds(1)) == false)
        signal.fire()
        #expect(await signal.sleep(.seconds(600)) == true)
        #expect(await signal.sleep(.zero) == false)
        async let woken = signal.sleep(.seconds(600))
        signal.fire()
        #expect(await woken)
    }

    @Test func aCancelledTaskDoesNotSleep() async {
        let signal = WakeSignal()
        let task = Task { await signal.sleep(.seconds(600)) }
        task.cancel()
        #expect(await task.value)
    }
}

@Suite struct AsyncMutexTests {
    /// An actor whose calls await inside a section that only one of them may be in.
    private actor Section {
        private let lock: AsyncMutex
        private(set) var passed: [Int] = []
        private var inside = 0
        private(set) var insideMax = 0

        init(waitersMax: Int) { lock = AsyncMutex(waitersMax: waitersMax) }

        func pass(_ number: Int, while body: @Sendable () async -> Void) async -> Bool {
            guard await lock.lock() else { return false }
            defer { lock.unlock() }
            inside += 1
            insideMax = max(insideMax, inside)
            await body()
            inside -= 1
            passed.append(number)
            return true
        }
    }

    @Test func oneCallAtATimeHoldsTheLock() async {
        let section = Section(waitersMax: 8)
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 { group.addTask { await section.pass(number) { await Task.yield() } } }
            for await passed in group { #expect(passed) }
        }
        #expect(await section.insideMax == 1)
        #expect(await section.passed.sorted() == Array(0..<8))
    }

    @Test func theLockIsFreeAfterTheLastCall() async {
        let lock = AsyncMutex(waitersMax: 0)
        #expect(await lock.lock())
        #expect(await lock.lock() == false)
        lock.unlock()
        #expect(await lock.lock())
    }

    @Test func moreCallsThanMayWaitAreRefused() async {
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let section = Section(waitersMax: 8)
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<8 + 3 {
                group.addTask { await section.pass(number) { for await _ in held {} } }
            }
            var refused = 0
            for await passed in group {
                refused += passed ? 0 : 1
                if refused == 2 { hold.finish() }
            }
            #expect(refused == 2)
        }
    }

    @Test func waitersReceiveTheLockInOrder() async {
        let section = Section(waitersMax: 8)
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                let (entered, enter) = AsyncStream.makeStream(of: Void.self)
                group.addTask {
                    // The actor runs this call up to its wait for the lock before it runs another.
                    enter.finish()
                    _ = await section.pass(number) { for await _ in held {} }
                }
                for await _ in entered {}
                _ = await section.passed
            }
            hold.finish()
        }
        #expect(await section.passed.count == 4)
    }
}
