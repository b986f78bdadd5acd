// Writes of one match may not overtake each other, and those who wait are few.

import Testing

@testable import ScoreIngest

@Suite struct TurnTests {
    /// Confines a turn as a writer does.
    private actor Door {
        private var turn = Turn()
        private(set) var passed: [Int] = []
        private(set) var inside = 0
        private(set) var insideMax = 0

        func pass(_ number: Int, while body: @Sendable () async -> Void) async -> Bool {
            if !turn.takeIfFree() {
                if turn.isFull { return false }
                await withCheckedContinuation { turn.wait($0) }
            }
            defer { turn.leave() }
            inside += 1
            insideMax = max(insideMax, inside)
            await body()
            inside -= 1
            passed.append(number)
            return true
        }
    }

    @Test func oneAtATimePasses() async {
        let door = Door()
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<Turn.waitersMax { group.addTask { await door.pass(number) { await Task.yield() } } }
            for await passed in group { #expect(passed) }
        }
        #expect(await door.insideMax == 1)
        #expect(await door.passed.sorted() == Array(0..<Turn.waitersMax))
    }

    @Test func theTurnIsFreeAgainAfterTheLast() {
        var turn = Turn()
        let (first, second) = (turn.takeIfFree(), turn.takeIfFree())
        turn.leave()
        let third = turn.takeIfFree()
        #expect([first, second, third] == [true, false, true])
    }

    @Test func moreThanMayWaitAreRefused() async {
        let (held, hold) = AsyncStream.makeStream(of: Void.self)
        let door = Door()
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<Turn.waitersMax + 3 {
                group.addTask { await door.pass(number) { for await _ in held {} } }
            }
            var refused = 0
            for await passed in group {
                refused += passed ? 0 : 1
                if refused == 2 { hold.finish() }
            }
            #expect(refused == 2)
        }
    }
}
