// The lane's decisions as values: breaker, reports, queues.

import HTTP2
import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct LaneValueTests {
    /// Records an outcome as a lane does; returns whether it opened the breaker.
    private func record(_ outcome: PushOutcome, _ breaker: inout CircuitBreaker, at now: Duration) -> Bool {
        guard let evidence = CircuitBreaker.Evidence(outcome) else {
            breaker.abandon()
            return false
        }
        return breaker.record(evidence, now: now, reopensAfter: EnvironmentBreaker.probeWait(jitter: 0.5))
    }

    @Test("A9: the breaker opens after faults in a row and closes after three good probes")
    func breakerOpensAfterFaultsInARowAndClosesAfterThreeGoodProbes() {
        var breaker = CircuitBreaker(EnvironmentBreaker.rules)
        let refused = Array(repeating: PushOutcome.rejected(.stopEnvironment), count: 4)
        for outcome in refused + [.accepted] + refused { #expect(!record(outcome, &breaker, at: .zero)) }
        #expect(record(.rejected(.stopEnvironment), &breaker, at: .zero))
        #expect(breaker.allowance(at: .seconds(9)) == 0)
        for _ in 0..<3 {
            #expect(breaker.allowance(at: .seconds(11)) == 1)
            breaker.sent()
            #expect(breaker.allowance(at: .seconds(11)) == 0)
            #expect(!record(.accepted, &breaker, at: .seconds(11)))
        }
        #expect(breaker.state == .closed)
        #expect(breaker.allowance(at: .seconds(11)) == nil)
    }

    @Test("l: a probe without evidence is repeated, and changes nothing")
    func aProbeWithoutEvidenceIsRepeated() {
        var breaker = CircuitBreaker(EnvironmentBreaker.rules)
        for _ in 0..<PushLimits.configurationFaults {
            _ = record(.rejected(.stopEnvironment), &breaker, at: .zero)
        }
        for _ in 0..<10 {
            #expect(breaker.allowance(at: .seconds(11)) == 1)
            breaker.sent()
            _ = record(.failed(.ambiguous), &breaker, at: .seconds(11))
        }
        #expect(breaker.state == .halfOpen(successes: 0, isProbing: false))
        #expect(breaker.allowance(at: .seconds(11)) == 1)
    }

    @Test("e: answers that say nothing about the environment are no evidence of its health")
    func evidence() {
        let nothing: [PushOutcome] = [
            .failed(.refused), .failed(.ambiguous), .failed(.renewedToken), .failed(.sameToken),
            .failed(.newConnection), .failed(.draining),
        ]
        for outcome in nothing { #expect(CircuitBreaker.Evidence(outcome) == nil) }
        #expect(CircuitBreaker.Evidence(.accepted) == .success)
        #expect(CircuitBreaker.Evidence(.rejected(.evict)) == .success)
        #expect(CircuitBreaker.Evidence(.failed(.server)) == .failureInWindow)
        #expect(CircuitBreaker.Evidence(.rejected(.stopEnvironment)) == .failureInARow)
    }

    @Test("b: no completion is lost however late the dispatcher reads the report")
    func theReportLosesNoCompletion() {
        let outbox = LaneOutbox()
        for number in 0..<200_000 {
            outbox.add { report in
                let bucket = CompletedBucket(
                    bucket: Bucket.all[number % 1024],
                    revision: Int64(number),
                    sends: 1,
                    hasAlert: false
                )
                report.completions.append((Fixture.match, .sandbox, bucket))
            }
        }
        #expect(outbox.take().completions.count == 200_000)
        #expect(outbox.take().completions.isEmpty)
    }

    @Test("the gauges of two lanes count the open breaker and name the answer that opened it")
    func anOpenBreakerIsShownWithItsReason() {
        let outbox = LaneOutbox()
        var open = LaneGauges()
        (open.breakersOpen, open.breakerReason) = (1, .forbidden)
        for lanes in [[open, LaneGauges()], [LaneGauges(), open]] {
            for (lane, gauges) in lanes.enumerated() { outbox.set(gauges, of: .sandbox, lane: lane) }
            #expect(outbox.gauges(of: .sandbox).breakersOpen == 1)
            #expect(outbox.gauges(of: .sandbox).breakerReason == .forbidden)
        }
        outbox.set(LaneGauges(), of: .sandbox, lane: 1)
        #expect(outbox.gauges(of: .sandbox).breakerReason == nil)
    }

    @Test("requests that a lane does not take are reported as unsent")
    func refusedOrdersAreReported() {
        struct StoppedLane: LaneThread {
            func perform(_ body: @escaping @Sendable (LaneCore) -> Void) -> Bool { false }
            func stop() {}
            func ended() async {}
        }
        let outbox = LaneOutbox()
        StoppedLane().send([directed(1, of: "final"), directed(2, of: "final")], in: .sandbox, reportingTo: outbox)
        let results = outbox.take().directed
        #expect(results.map(\.ticket) == [1, 2])
        #expect(results.allSatisfy { $0.outcome == .failed(.refused) && $0.environment == .sandbox })
    }

    @Test("24: directed requests of one match do not delay those of another")
    func matchesAlternate() {
        var queue = DirectedQueue()
        for number in 0..<100 { #expect(queue.append(directed(number, of: "final")) == true) }
        for number in 100..<140 { #expect(queue.append(directed(number, of: "smallMatch")) == true) }
        #expect(queue.append(directed(140, of: "another")) == true)
        var order: [UInt64] = []
        while let push = queue.next(at: .zero) { order.append(push.ticket) }
        #expect(order.count == 141 && queue.count == 0)
        #expect(order.firstIndex(of: 100) == 16 && order.firstIndex(of: 140) == 32 && order[33] == 16)
        #expect(order.filter { $0 < 100 } == Array(0..<100))
        #expect(order.filter { (100..<140).contains($0) } == Array(100..<140))
    }

    @Test("C23, 24: urgent fan-outs and notifications alternate, and no class waits for ever")
    func turns() {
        var turn = LaneTurn()
        var first: [LaneClass] = []
        var calm: [LaneClass] = []
        for _ in 0..<12 {
            turn.advance()
            let places = turn.classes
            #expect(Set(places).count == 4 && places.count == 4)
            first.append(places[0])
            calm += places.filter { $0 != .urgent }.prefix(1)
        }
        #expect(first.count { $0 == .urgent } == 6 && first.count { $0 == .directed } == 6)
        #expect(Set(calm) == [.directed, .lifecycle, .ordinary], "first while nothing is urgent")
    }

    private func directed(_ number: Int, of match: String) -> DirectedPush {
        DirectedPush(
            ticket: UInt64(number),
            kind: .alert,
            match: MatchID(unchecked: match),
            target: .device(Fixture.device(number), generation: 1, token: Fixture.token(number)),
            body: BodyBytes([1]),
            priority: .ten,
            expiration: 0,
            seed: RequestSeed(match: Fixture.match, revision: 1, kind: .alert, key: []),
            whenAmbiguous: .giveUp,
            repeatsWhenFailed: true
        )
    }

    @Test func theHeapReturnsTheNextDueFirstAndIsBounded() {
        var heap = DueHeap<Int>(countMax: 500)
        var generator = SplitMix64(seed: 7)
        let dues = (0..<500).map { _ in Int.random(in: 0..<10_000, using: &generator) }
        for due in dues { #expect(heap.insert(due, due: .milliseconds(due)) == true) }
        #expect(heap.insert(0, due: .zero) == false)
        #expect(heap.popDue(at: .milliseconds(-1)) == nil)
        var order: [Int] = []
        while let next = heap.popDue(at: .seconds(10)) { order.append(next) }
        #expect(order == dues.sorted())
    }

    @Test func requestIdsAreEqualOnAllNodesAndUniquePerPush() {
        let seed = RequestSeed(match: Fixture.match, revision: 7, kind: .update, key: [1, 2])
        let same = RequestSeed(match: Fixture.match, revision: 7, kind: .update, key: [1, 2])
        let other = RequestSeed(match: Fixture.match, revision: 8, kind: .update, key: [1, 2])
        var seen: Set<String> = []
        for number in 0..<2000 {
            let device = Fixture.device(number)
            #expect(text(seed, device) == text(same, device))
            seen.insert(text(seed, device))
            seen.insert(text(other, device))
        }
        #expect(seen.count == 4000)
        #expect(
            seen.allSatisfy {
                $0.wholeMatch(of: #/[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/#) != nil
            }
        )
    }

    private func text(_ seed: RequestSeed, _ device: DeviceID) -> String {
        let buffer = RequestBuffer()
        return String(decoding: buffer.id(seed, device, 1), as: UTF8.self)
    }
}
