import ScoreTypes
import Synchronization
import Testing

@testable import FollowService

/// Two neighbours have one sort number, so that the whole comparison is needed too.
private struct Key: BatchKey, ExpressibleByIntegerLiteral {
    let number: Int
    var sortNumber: UInt64 { UInt64(number / 2) }

    init(integerLiteral number: Int) { self.number = number }
    static func < (left: Key, right: Key) -> Bool { left.number < right.number }
}

private struct Call: BatchedCall, Equatable {
    let key: Key
    let clientSequence: Int64
    let name: String

    func outcome(supersededBy newer: Call, with outcome: String) -> String { "\(name) gave way to \(newer.name)" }
}

@Suite struct CallBatcherTests {
    @Test func aBatchHasOneSortedRowForEachKeyAndTheNewestCallWins() {
        let batch = CallBatch([
            Call(key: 7, clientSequence: 2, name: "a"), Call(key: 3, clientSequence: 5, name: "b"),
            Call(key: 7, clientSequence: 1, name: "c"), Call(key: 3, clientSequence: 5, name: "d"),
            Call(key: 7, clientSequence: 3, name: "e"),
        ])
        #expect(batch.rows.map(\.name) == ["b", "e"])
        #expect(
            batch.outcomes(from: ["B", "E"]) == [
                "a gave way to e", "B", "c gave way to e", "d gave way to b", "E",
            ]
        )
        #expect(batch.outcomes(from: ["B"]) == nil)
    }

    @Test func aRepeatedCallSharesItsOutcome() {
        let call = Call(key: 7, clientSequence: 2, name: "a")
        let batch = CallBatch([call, call])
        #expect(batch.rows.map(\.name) == ["a"] && batch.outcomes(from: ["A"]) == ["A", "A"])
    }

    @Test func keysWithEqualSortNumbersStaySortedAndDistinct() {
        let names = [7, 6, 6, 7, 2, 3, 2].enumerated().map { place, key in
            Call(key: Key(integerLiteral: key), clientSequence: Int64(place), name: "\(key).\(place)")
        }
        #expect(CallBatch(names).rows.map(\.name) == ["2.6", "3.5", "6.2", "7.3"])
    }

    @Test func eachCallerReceivesItsOutcomeAndBatchesAreBounded() async throws {
        let sizes = Mutex<[Int]>([])
        let writer = CallBatcher<Call>(
            bounds: BatchBounds(rowsMax: 50, gatherMax: .milliseconds(50)),
            clock: ServiceClock()
        ) {
            calls in
            sizes.withLock { $0.append(calls.count) }
            return calls.map { "wrote \($0.name)" }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    let answer = try await writer.submit(
                        Call(key: Key(integerLiteral: number), clientSequence: 1, name: "\(number)")
                    )
                    #expect(answer == "wrote \(number)")
                }
            }
            try await group.waitForAll()
        }
        let written = sizes.withLock { $0 }
        #expect(written.reduce(0, +) == 1000)
        #expect(written.allSatisfy { $0 <= 50 })
        #expect(written.count <= 100, "batches were nearly empty: \(written)")
    }

    @Test func aSingleCallIsWrittenAfterTheGatherTime() async throws {
        let writer = CallBatcher<Call>(bounds: BatchBounds(gatherMax: .milliseconds(1)), clock: ServiceClock()) {
            calls in
            calls.map { "wrote \($0.name)" }
        }
        for number in 0..<20 {
            #expect(try await writer.submit(Call(key: 1, clientSequence: 1, name: "\(number)")) == "wrote \(number)")
        }
    }

    @Test func aFullWriterReturnsBusyAndAFailedBatchFailsItsCalls() async throws {
        let (entered, enter) = AsyncStream<Void>.makeStream()
        let gate = Mutex<CheckedContinuation<Void, Never>?>(nil)
        struct Broken: Error {}
        let bounds = BatchBounds(rowsMax: 2, gatherMax: .zero, waitingMax: 3)
        let writer = CallBatcher<Call>(bounds: bounds, clock: ServiceClock()) { _ in
            await withCheckedContinuation { continuation in
                gate.withLock { $0 = continuation }
                enter.yield()
            }
            throw Broken()
        }
        await withTaskGroup(of: Bool.self) { group in
            var visits = entered.makeAsyncIterator()
            func call(_ number: Int) {
                group.addTask {
                    do throws(FollowError) {
                        _ = try await writer.submit(Call(key: Key(integerLiteral: number), clientSequence: 1, name: ""))
                        return false
                    } catch {
                        guard case .unavailable = error else { return false }
                        return true
                    }
                }
            }
            call(0)
            await visits.next()
            for number in 1...3 { call(number) }
            while writer.waitingCount < 3 { await Task.yield() }
            await #expect(throws: FollowError.self) {
                _ = try await writer.submit(Call(key: 9, clientSequence: 1, name: ""))
            }
            gate.withLock { $0 }?.resume()
            for _ in 0..<2 {
                await visits.next()
                gate.withLock { $0 }?.resume()
            }
            for await wasUnavailable in group { #expect(wasUnavailable) }
        }
    }
}
