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
        let attempts = Attempts(wantsAccepted: wantsAccepted)
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
        let attempts = Attempts(wantsAccepted: true)
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
}
