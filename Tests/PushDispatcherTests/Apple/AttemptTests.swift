// An observer of single pushes receives every try with all its details.

import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(1)))
struct AttemptTests {
    @Test("25: every try is reported with number, answer and fingerprint", arguments: [true, false])
    func everyAttemptIsReported(wantsAccepted: Bool) async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<20)
        let dead = Fixture.token(7)
        apple.simulator.unregister(token: dead)
        let busy = Fixture.token(3).bytes
        let refusals = Mutex(2)
        await apple.simulator.interfere { arrival in
            guard arrival.recipient == busy else { return nil }
            let isBusy = refusals.withLock { left in
                left -= 1
                return left >= 0
            }
            return isBusy ? .answer(status: 503, reason: "ServiceUnavailable") : nil
        }
        let attempts = Attempts(wantsAccepted ? .all : .none)
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 20), attempts: attempts)
        await node.publish(Fixture.current(5))
        try await eventually("all but one show 5", within: .seconds(40)) {
            screens.allSatisfy { $0.newest == 5 || $0.number == 7 }
        }
        try await eventually("all is recorded") { node.progress.count(atLeast: 5) == Bucket.count }
        // A bucket waits ten seconds for a token; on a busy machine its last attempt comes later.
        try await eventually("each attempt is reported") { attempts.all.count >= (wantsAccepted ? 22 : 3) }
        let all = attempts.all
        let tries = all.filter { $0.device == Fixture.device(3) }.sorted { $0.number < $1.number }
        #expect(tries.map(\.number) == (wantsAccepted ? [1, 2, 3] : [1, 2]))
        #expect(tries.map(\.status) == (wantsAccepted ? [503, 503, 200] : [503, 503]))
        #expect(tries.map(\.isFinal) == (wantsAccepted ? [false, false, true] : [false, false]))
        #expect(Set(tries.map(\.requestID)).count == 1)
        #expect(tries.allSatisfy { $0.fingerprint == Fingerprint(of: Fixture.token(3)) })
        let refused = try #require(all.first { $0.device == Fixture.device(7) })
        #expect(refused.outcome == .rejected(.evict) && refused.isFinal && refused.status == 410)
        #expect(refused.reason == .unregistered && refused.trap == "MS020")
        #expect(all.allSatisfy { $0.revision == 5 && $0.operation == .update && $0.duration >= .zero })
        #expect(all.count { $0.outcome == .accepted } == (wantsAccepted ? 19 : 0))
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("25: an answer after the next state is reported with the revision and id of its request")
    func lateAnswersAreReportedWithTheirRequest() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<40)
        await apple.simulator.interfere { $0.revision == 1 ? .delay(.seconds(2)) : nil }
        let attempts = Attempts(.all)
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 40), attempts: attempts)
        await node.publish(Fixture.current(1))
        try await eventually("all requests of 1 are there") { screens.allSatisfy { $0.newest == 1 } }
        await node.publish(Fixture.current(2, cause: .correction))
        try await eventually("each answer is reported") { attempts.all.count >= 80 }
        let sent = Dictionary(apple.simulator.journal(last: 1000).map { ($0.id, $0.revision) }) { first, _ in first }
        #expect(attempts.all.allSatisfy { sent[$0.requestID] == $0.revision })
        #expect(attempts.all.count { $0.revision == 1 } == 40 && attempts.all.count { $0.revision == 2 } == 40)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("25: a sample has each refusal, its repetition, and an accepted request of each publication")
    func aSampleHasEachPublication() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<60)
        let dead = Fixture.token(7)
        apple.simulator.unregister(token: dead)
        let busy = Fixture.token(3).bytes
        let isFirst = Mutex(true)
        await apple.simulator.interfere { arrival in
            guard arrival.recipient == busy,
                isFirst.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                })
            else { return nil }
            return .answer(status: 503, reason: "ServiceUnavailable")
        }
        let attempts = Attempts(.sample)
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 60), attempts: attempts)
        for revision in Int64(1)...3 {
            await node.publish(Fixture.current(revision, cause: .correction))
            try await eventually("all but one show \(revision)", within: .seconds(40)) {
                screens.allSatisfy { $0.newest == revision || $0.number == 7 }
            }
        }
        // A phone shows a state before the answer about it is here.
        try await eventually("an accepted request of 3 is reported") {
            attempts.all.contains { $0.outcome == .accepted && $0.revision == 3 }
        }
        let all = attempts.all
        let accepted = all.filter { $0.outcome == .accepted }
        #expect(Set(accepted.map(\.revision)) == [1, 2, 3])
        #expect(accepted.count < 60, "a sample: \(accepted.count)")
        #expect(accepted.contains { $0.device == Fixture.device(3) && $0.number == 2 }, "the repetition")
        #expect(all.contains { $0.status == 503 && !$0.isFinal })
        let gone = try #require(all.first { $0.device == Fixture.device(7) })
        #expect(gone.fingerprint == Fingerprint(of: dead), "its token is no longer in memory")
        let newest = try #require(accepted.last { $0.revision == 3 })
        let payload = String(decoding: try #require(newest.payload), as: UTF8.self)
        #expect(payload.contains("content-state") && newest.committedAt != nil && newest.recipientDevice != nil)
        await node.stop()
        await apple.simulator.stop()
    }
}
